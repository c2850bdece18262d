import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { openEmbedded } from '../server/src/embedded/environment.ts'
import { prepareDatabase } from '../server/src/embedded/prepare.ts'
import { makeTerminal } from '../server/src/embedded/terminal.ts'

const root = join(import.meta.dirname, '..')
const WEB = 'http://localhost:5173'

const terminal = makeTerminal()
const embedded = await terminal.stage('Starting PostgreSQL', () =>
  openEmbedded(process.env.LIMBER_HOME ?? join(root, '.limber'), process.env),
)
const company = embedded.env.LIMBER_SAMPLE === '1' ? 'sample' : 'own'
await prepareDatabase(terminal, embedded.env.DATABASE_URL, company, {
  secretKey: embedded.env.SECRET_KEY,
  storagePath: embedded.env.LIMBER_STORAGE,
})

const port = process.env.PORT ?? '3000'
const children: ChildProcess[] = []
let isStopping = false

const stop = async (code: number) => {
  if (isStopping) return
  isStopping = true
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    }),
  )
  await embedded.close()
  process.exit(code)
}

const run = (args: string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' })
  child.once('exit', (code) => void stop(code ?? 1))
  children.push(child)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

// The browser talks to Vite, which forwards calls, so the address of Vite is the public one.
run(['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  ...embedded.env,
  PORT: port,
  PUBLIC_URL: WEB,
  LIMBER_CHECK_REPLIES: '1',
})
run(['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--clearScreen', 'false'], {
  LIMBER_DEV_SERVER: `http://localhost:${port}`,
})
