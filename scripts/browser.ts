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
// No traffic of the browser's own.
const ARGS = [
  ...['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  '--disable-sync',
]
/** WebGL without a graphics card. Everything is drawn by it then, which costs a third of a processor. */
export const WITH_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
export const WITHOUT_WEBGL = ['--disable-gpu']

/** A Chromium for the browser journeys, found or fetched without root; it is asked for its version before it is given out. */
export async function findBrowser(log: (line: string) => void = () => {}): Promise<Browser> {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    const trouble = await whyNotStarting(chosen)
    if (!trouble) return asBrowser(chosen)
    throw new Error(`CHROMIUM_PATH is ${chosen}, which does not start: ${trouble}`)
  }

  const reasons: string[] = []
  const usable = async (find: () => Promise<{ path: string; forget(): Promise<void> } | undefined>) => {
    // A second try fills a damaged cache again.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const found = await find().catch((error: unknown) => void reasons.push(reasonOf(error)))
      if (!found) return undefined
      const trouble = await whyNotStarting(found.path)
      if (!trouble) return asBrowser(found.path)
      reasons.push(trouble)
      await found.forget()
    }
    return undefined
  }

  const browser = (await usable(npmChromium)) ?? (await installed()) ?? (await usable(() => debianChromium(log)))
  if (browser) return browser
  const because = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  throw new Error(`No Chromium was found or could be fetched${because}: set CHROMIUM_PATH to one.`)
}

async function installed(): Promise<Browser | undefined> {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((place) => COMMANDS.map((name) => join(place, name)))
  for (const path of [...onPath, ...(process.platform === 'darwin' ? MAC_APPS : [])]) {
    if ((await isExecutable(path)) && !(await whyNotStarting(path))) return asBrowser(path)
  }
  return undefined
}

/** Ubuntu's chromium-browser, for one, is a file that only asks for a snap. */
async function whyNotStarting(path: string): Promise<string | undefined> {
  return run(path, ['--version'], { timeout: 20_000 }).then(
    ({ stdout }) => (/\d+\.\d+/.test(stdout) ? undefined : `${path} gives no version`),
    reasonOf,
  )
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

// The sandbox needs rights that root, containers and many CI machines lack; the journeys open only our own pages.
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
