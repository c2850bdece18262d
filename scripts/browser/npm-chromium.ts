import { execFile } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { cached, discard } from './cache.ts'
import { WRAPPER_VERSION, writeWrapper } from './wrapper.ts'

const run = promisify(execFile)

/** The Chromium of the npm package @sparticuz/chromium: Linux x64, no root, with its libraries. */
export async function npmChromium(): Promise<{ path: string; discard(): Promise<void> } | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const { version } = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8')) as { version: string }
  const name = `npm-${version}-${WRAPPER_VERSION}`
  const directory = await cached(name, (folder) => unpack(entry, folder))
  return { path: join(directory, 'chromium'), discard: () => discard(name) }
}

async function unpack(entry: string, directory: string): Promise<void> {
  // The package unpacks into its temporary directory, and unpacks its libraries only if it believes to run in a Lambda.
  const script = `import(${JSON.stringify(pathToFileURL(entry).href)}).then((chromium) => chromium.default.executablePath())`
  await run(process.execPath, ['--eval', script], {
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
  await rename(join(directory, 'chromium'), join(directory, 'chromium.bin'))
  await writeWrapper(directory, { binary: 'chromium.bin', libraries: ['al2023/lib'], fonts: 'fonts/fonts' })
}
