import { execFile } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { cached, forget } from './cache.ts'
import { WRAPPER_VERSION, writeWrapper } from './wrapper.ts'

const run = promisify(execFile)

/** The Chromium of the npm package @sparticuz/chromium: linux x64, no root, its own libraries. */
export async function npmChromium(): Promise<{ path: string; forget(): Promise<void> } | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const { version } = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8')) as { version: string }
  const name = `npm-${version}-${WRAPPER_VERSION}`
  const directory = await cached(name, (aside) => unpack(entry, aside))
  return { path: join(directory, 'chromium'), forget: () => forget(name) }
}

async function unpack(entry: string, directory: string): Promise<void> {
  // The package unpacks to the temporary directory of its process, and its libraries only where it believes to be in a Lambda.
  const script = `import(${JSON.stringify(pathToFileURL(entry).href)}).then((chromium) => chromium.default.executablePath())`
  await run(process.execPath, ['--eval', script], {
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
  await rename(join(directory, 'chromium'), join(directory, 'chromium.bin'))
  await writeWrapper(directory, { binary: 'chromium.bin', libraries: ['al2023/lib'], fonts: 'fonts/fonts' })
}
