import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Builds the pages if needed, and serves a copy, so that another build does not break a running journey. */
export async function preparePages(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-web.ts')], { cwd: root })
  const pages = await mkdtemp(join(tmpdir(), 'limber-pages-'))
  await cp(join(root, 'web/dist'), pages, { recursive: true })
  process.env.LIMBER_WEB = pages
  return () => rm(pages, { recursive: true, force: true })
}
