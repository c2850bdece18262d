import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cached, discard } from './cache.ts'
import { WRAPPER_VERSION, writeWrapper } from './wrapper.ts'

const run = promisify(execFile)
const PACKAGES = ['chromium', 'fonts-liberation']

/**
 * Debian's Chromium with the libraries that this machine lacks, downloaded and unpacked without root.
 * apt-get uses its own state and cache, and installs nothing.
 */
export async function debianChromium(
  log: (line: string) => void,
): Promise<{ path: string; discard(): Promise<void> } | undefined> {
  if (process.platform !== 'linux') return undefined
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  if (!/^ID(_LIKE)?=.*debian/m.test(release)) return undefined
  const codename = /^VERSION_CODENAME="?(\w+)/m.exec(release)?.[1] ?? 'unknown'
  const name = `debian-${codename}-${process.arch}-${WRAPPER_VERSION}`
  const directory = await cached(name, async (folder) => {
    log('Downloading Chromium from Debian (about 120 MB, once per user) ...')
    await downloadAndUnpack(folder)
  })
  return { path: join(directory, 'chromium'), discard: () => discard(name) }
}

async function downloadAndUnpack(directory: string): Promise<void> {
  const state = join(directory, 'apt-state')
  const cache = join(directory, 'apt-cache')
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  const apt = (...command: string[]) =>
    run('apt-get', [
      ...['-qq', '-y', '-o', `Dir::State=${state}`, '-o', `Dir::Cache=${cache}`, '-o', `Dir::Log=${directory}`],
      ...['-o', 'Dir::State::status=/var/lib/dpkg/status', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User='],
      ...['-o', 'Acquire::Languages=none', '-o', 'Acquire::Retries=3', ...command],
    ])
  await apt('update')
  await apt('--download-only', '--no-install-recommends', 'install', ...PACKAGES)

  const archives = join(cache, 'archives')
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, file), join(directory, 'root')])
  }
  await rm(cache, { recursive: true })
  await rm(state, { recursive: true })

  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  await writeWrapper(directory, {
    binary: 'root/usr/lib/chromium/chromium',
    libraries: await libraryFolders(directory, [`root/usr/lib/${triplet}`, `root/lib/${triplet}`]),
    fonts: 'root/usr/share/fonts',
  })
}

/** Some libraries (libpulsecommon) are one directory deeper, where others look for them by absolute path. */
async function libraryFolders(directory: string, parents: string[]): Promise<string[]> {
  const found: string[] = []
  for (const parent of parents) {
    const entries = await readdir(join(directory, parent), { withFileTypes: true }).catch(() => [])
    found.push(parent, ...entries.filter((entry) => entry.isDirectory()).map((entry) => `${parent}/${entry.name}`))
  }
  return found
}
