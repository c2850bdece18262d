import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../paths.ts'
import { inTurn } from './testing.ts'

/** The product as it runs in production. */
export const MAIN = new URL('../../main.ts', import.meta.url)

const BUNDLING = 7_214_021

/**
 * The bundle of a program: `main.ts` or a `killed-*.testing.ts`. Made once per run, by the first caller. A process that
 * is killed never saves what Node compiled, so from its sources it would take seconds of CPU time to start, each time.
 */
export async function bundledProgram(source: URL): Promise<string> {
  const folder = process.env.LIMBER_TEST_PROGRAMS
  if (!folder) throw new Error('Server tests run with: vitest run --config server/vitest.config.ts')
  await inTurn(BUNDLING, async () => {
    if (existsSync(folder)) return
    const making = `${folder}-making`
    await promisify(execFile)(process.execPath, [join(root, 'scripts/bundle-programs.ts'), making])
    await rename(making, folder)
  })
  return join(folder, `${basename(source.pathname, '.ts')}.js`)
}
