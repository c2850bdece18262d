import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Kills all processes with SIGKILL during writes, several times. Each restart must work, and no acknowledged write may be lost.
const root = join(import.meta.dirname, '..')
const ROUNDS = Number(process.argv[2] ?? 10)
const port = process.env.PORT ?? '3890'
const origin = `http://localhost:${port}`
const home = mkdtempSync(join(tmpdir(), 'limber-kills-'))
const print = (line: string) => process.stdout.write(`${line}\n`)

async function start(): Promise<{ child: ChildProcess; key: string; seconds: number }> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, LIMBER_HOME: home, PORT: port },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const key = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`npm start exited with ${code}:\n${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
      const found = /sample-door\?key=(\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
  })
  return { child, key, seconds: (performance.now() - startedAt) / 1000 }
}

async function signIn(key: string) {
  const reply = await fetch(`${origin}/api/auth/sample-door`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const csrf = cookies.find((each) => each.startsWith('csrf='))?.slice(5) ?? ''
  return { cookie: cookies.join('; '), origin, 'x-csrf-token': csrf, 'content-type': 'application/json' }
}

/** Writes until the server is gone, and records what was acknowledged. */
async function write(headers: Record<string, string>, round: number, lane: number, acknowledged: Set<string>) {
  for (let i = 0; ; i++) {
    const email = `kill-${round}-${lane}-${i}@example.com`
    try {
      const reply = await fetch(`${origin}/api/access/workers/invite`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ email, name: `Round ${round}`, role: null, permissions: ['1'] }),
      })
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
      await reply.text()
      acknowledged.add(email)
    } catch (error) {
      if (i === 0) throw error
      return
    }
  }
}

const readProc = (pid: number, name: string) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: number) => Number(/\) \S+ (\d+)/.exec(readProc(pid, 'stat'))?.[1])

/** Every process of this LIMBER_HOME: launcher, server, PostgreSQL, and their children. */
function findAll(): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
  const found = new Set(
    pids.filter((pid) => readProc(pid, 'environ').includes(home) || readProc(pid, 'cmdline').includes(home)),
  )
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const pid of pids) if (found.has(parentOf(pid))) found.add(pid)
  }
  return [...found]
}

async function findSaved(headers: Record<string, string>, round: number): Promise<Set<string>> {
  const saved = new Set<string>()
  for (let page = 1; ; page++) {
    const reply = await fetch(`${origin}/api/access/workers?search=kill-${round}-&limit=100&page=${page}`, { headers })
    const body = (await reply.json()) as { workers: { email: string }[] }
    for (const { email } of body.workers) saved.add(email)
    if (body.workers.length < 100) return saved
  }
}

let lost = 0
let running = await start()
let headers = await signIn(running.key)
print(`first start ${running.seconds.toFixed(1)} s`)
for (let round = 1; round <= ROUNDS; round++) {
  const acknowledged = new Set<string>()
  const session = headers
  const lanes = [1, 2, 3, 4].map((lane) => write(session, round, lane, acknowledged))
  await new Promise((done) => setTimeout(done, 1500 + Math.random() * 1500))
  const victims = findAll()
  for (const pid of victims.toSorted(() => Math.random() - 0.5)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
  await Promise.all(lanes)
  running = await start()
  headers = await signIn(running.key)
  const saved = await findSaved(headers, round)
  const missing = [...acknowledged].filter((email) => !saved.has(email))
  lost += missing.length
  print(
    `round ${round}: killed ${victims.length} processes, ${acknowledged.size} acknowledged, ${saved.size} saved, ${missing.length} lost, restarted in ${running.seconds.toFixed(1)} s`,
  )
}
process.kill(-(running.child.pid ?? 0), 'SIGTERM')
await new Promise((done) => running.child.once('exit', done))
rmSync(home, { recursive: true, force: true })
print(`${lost === 0 ? ROUNDS : 0} passed, ${lost === 0 ? 0 : lost} failed`)
process.exitCode = lost > 0 ? 1 : 0
