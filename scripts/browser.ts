import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { debianChromium } from './browser/debian-chromium.ts'
import { npmChromium } from './browser/npm-chromium.ts'

export type Browser = { executablePath: string; args: string[] }

const run = promisify(execFile)

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
// No network traffic of the browser itself.
const ARGS = [
  ...['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  '--disable-sync',
]
/** WebGL without a graphics card. Software rendering costs a third of a CPU. */
export const WITH_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
export const WITHOUT_WEBGL = ['--disable-gpu']

/** Finds or downloads a Chromium for the browser journeys, without root, and checks that it starts. */
export async function findBrowser(log: (line: string) => void = () => {}): Promise<Browser> {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    const problem = await startProblem(configured)
    if (!problem) return asBrowser(configured)
    throw new Error(`The Chromium of CHROMIUM_PATH does not start (${configured}): ${problem}`)
  }

  const reasons: string[] = []
  const usable = async (find: () => Promise<{ path: string; discard(): Promise<void> } | undefined>) => {
    // The second attempt refills a damaged cache.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const found = await find().catch((error: unknown) => void reasons.push(reasonOf(error)))
      if (!found) return undefined
      const problem = await startProblem(found.path)
      if (!problem) return asBrowser(found.path)
      reasons.push(problem)
      await found.discard()
    }
    return undefined
  }

  const browser = (await usable(npmChromium)) ?? (await installed()) ?? (await usable(() => debianChromium(log)))
  if (browser) return browser
  const because = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  throw new Error(`No Chromium found, and none could be downloaded${because}. Set CHROMIUM_PATH.`)
}

async function installed(): Promise<Browser | undefined> {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => COMMANDS.map((name) => join(folder, name)))
  for (const path of [...onPath, ...(process.platform === 'darwin' ? MAC_APPS : [])]) {
    if ((await isExecutable(path)) && !(await startProblem(path))) return asBrowser(path)
  }
  return undefined
}

/** Why the browser does not start. Ubuntu's chromium-browser, for example, only asks to install a snap. */
async function startProblem(path: string): Promise<string | undefined> {
  return run(path, ['--version'], { timeout: 20_000 }).then(
    ({ stdout }) => (/\d+\.\d+/.test(stdout) ? undefined : `${path} prints no version`),
    reasonOf,
  )
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

// The sandbox does not work as root, in containers, and on many CI machines. The journeys open only our own pages.
function asBrowser(executablePath: string): Browser {
  return { executablePath, args: process.platform === 'linux' ? ['--no-sandbox', ...ARGS] : ARGS }
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr || message).trim().split('\n').at(-1) ?? message
}

if (process.argv[1] === import.meta.filename) {
  const browser = await findBrowser((line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${JSON.stringify(browser, null, 2)}\n`)
}
