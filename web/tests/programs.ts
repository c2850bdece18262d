import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleServer } from '../../scripts/bundle-server.ts'

const root = join(import.meta.dirname, '../..')
// Within the clone, so that the libraries outside of the bundle are found.
const CACHE = join(root, 'node_modules/.cache/limber')
const PROGRAMS = { start: 'server/src/start.ts', limber: 'server/src/cli/limber.ts' }

/** Bundles the programs that the journeys start many times. A bundle starts with a third of the work. */
export async function preparePrograms(): Promise<() => Promise<void>> {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'programs-'))
  await bundleServer(PROGRAMS, folder)
  process.env.LIMBER_PROGRAMS = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** The bundled program, or its source where nothing was bundled. */
export function programFile(name: keyof typeof PROGRAMS): string {
  const folder = process.env.LIMBER_PROGRAMS
  return folder ? join(folder, `${name}.js`) : join(root, PROGRAMS[name])
}
