import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyFolder, makeScratchHome } from '../../server/src/embedded/scratch.ts'

const root = join(import.meta.dirname, '../..')

/** Builds the pages if needed, and serves a copy, so that another build does not break a running journey. */
export async function preparePages(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-web.ts')], { cwd: root })
  const home = await makeScratchHome('limber-pages-')
  const pages = join(home, 'dist')
  await copyFolder(join(root, 'web/dist'), pages)
  process.env.LIMBER_WEB = pages
  return () => rm(home, { recursive: true, force: true })
}
