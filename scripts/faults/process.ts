import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { grantWhile, type Lab } from './lab.ts'
import { type Kind, uploadWhile } from './services.ts'

const kind = (fault: string, breakIt: (lab: Lab, turn: number) => Promise<unknown> | unknown, atOnce = 3): Kind => ({
  fault,
  run: (lab, times) => grantWhile(lab, { fault, times, atOnce }, (turn) => breakIt(lab, turn)),
})

/** Takes away the memory that a process has not got yet. */
async function starve({ limber }: Lab) {
  const kilobytes = Number(/VmSize:\s+(\d+)/.exec(readFileSync(`/proc/${limber.pid}/status`, 'utf8'))?.[1])
  execFileSync('prlimit', ['--pid', String(limber.pid), `--as=${(kilobytes + 1_000) * 1_024}`])
}

const isGone = (pid: number) => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

export const processFaults: Kind[] = [
  kind('process killed and started again', async (lab) => {
    lab.limber.kill()
    await lab.start()
  }),
  kind('process told to end, and started again', async (lab) => {
    const ending = lab.limber.stop()
    await lab.start()
    await ending
  }),
  kind('process and database killed together', async (lab) => {
    lab.limber.kill()
    await lab.database.crash()
    await lab.database.restart()
    await lab.start()
  }),
  kind('process frozen for 3 s', async ({ limber }) => {
    process.kill(limber.pid, 'SIGSTOP')
    await sleep(3_000)
    process.kill(limber.pid, 'SIGCONT')
  }),
  kind('process out of memory, and started again', async (lab) => {
    const { pid } = lab.limber
    await starve(lab)
    const page = () =>
      fetch(`${lab.limber.url}/api/support/users?limit=100`, {
        headers: { cookie: lab.headers.cookie ?? '' },
        signal: AbortSignal.timeout(5_000),
      })
        .then((reply) => reply.text())
        .catch(() => '')
    for (const end = performance.now() + 60_000; !isGone(pid) && performance.now() < end; )
      await Promise.all(Array.from({ length: 100 }, page))
    if (!isGone(pid)) throw new Error('The process did not run out of memory.')
    await lab.start()
  }),
]

/** Ends requests whose answer nobody waits for any more. The same write is asked for again. */
async function dropRequests(lab: Lab) {
  const stop = new AbortController()
  const dropped = Array.from({ length: 20 }, () =>
    fetch(`${lab.limber.url}/api/support/users?limit=100`, {
      headers: { cookie: lab.headers.cookie ?? '' },
      signal: stop.signal,
    }).then(
      (reply) => reply.text(),
      () => '',
    ),
  )
  await sleep(5)
  stop.abort()
  await Promise.all(dropped)
}

/** Connections that say half a request and then nothing. */
async function openHalfRequests({ limber }: Lab, count: number, ms: number) {
  const port = Number(new URL(limber.url).port)
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /api/auth/check HTTP/1.1\r\nhost: localhost\r\n'),
    )
    return socket.on('error', () => {})
  })
  await sleep(ms)
  for (const socket of sockets) socket.destroy()
}

export const clientFaults: Kind[] = [
  kind(
    '1,500 live streams of one worker opened and dropped',
    async ({ limber, headers }) => {
      const stop = new AbortController()
      for (let i = 0; i < 1_500; i++)
        fetch(`${limber.url}/api/live`, { headers: { cookie: headers.cookie ?? '' }, signal: stop.signal }).catch(
          () => {},
        )
      await sleep(3_000)
      stop.abort()
    },
    20,
  ),
  kind('500 requests at once', ({ limber, headers }) =>
    Promise.all(
      Array.from({ length: 500 }, () =>
        fetch(`${limber.url}/api/auth/check`, { headers: { cookie: headers.cookie ?? '' } }).then(
          (reply) => reply.text(),
          () => '',
        ),
      ),
    ),
  ),
  kind('1,000 connections with half a request', (lab) => openHalfRequests(lab, 1_000, 2_000)),
  kind('browsers that leave before the answer', dropRequests),
  {
    fault: 'writes whose connection ends before the answer, asked again',
    run(lab, times) {
      return grantWhile(lab, { fault: this.fault, times, leaveAfter: 4 }, () => {})
    },
  },
]

/** The disk for files and log is full. */
export const diskFaults: Kind[] = [
  {
    fault: 'disk for files full for 2 s',
    run(lab, times) {
      return uploadWhile(
        lab,
        { fault: this.fault, times },
        () => lab.disk.fill(),
        () => lab.disk.free(),
      )
    },
  },
  {
    fault: 'disk of the log full for 1 s',
    async run(lab, times) {
      await lab.limber.stop()
      await lab.start({}, join(lab.disk.folder, 'limber.log'))
      const found = await grantWhile(lab, { fault: this.fault, times }, async () => {
        lab.disk.fill()
        await sleep(1_000)
        lab.disk.free()
      })
      await lab.limber.stop()
      await lab.start()
      return found
    },
  },
]

/** Tells a process another time than the machine has, if libfaketime is installed. */
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const clockKind = (words: string, offset: string): Kind => ({
  fault: `clock of the process ${words}`,
  async run(lab, times) {
    const file = join(lab.home, 'time')
    writeFileSync(file, '+0')
    await lab.limber.stop()
    await lab.start({
      LD_PRELOAD: FAKE_TIME,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    const found = await grantWhile(lab, { fault: `clock of the process ${words}`, times }, async (turn) => {
      writeFileSync(file, turn % 2 ? '+0' : offset)
      await sleep(300)
    })
    await lab.limber.stop()
    await lab.start()
    return found
  },
})
export const clockFaults: Kind[] = existsSync(FAKE_TIME)
  ? [clockKind('jumps an hour ahead and back', '+3600'), clockKind('jumps an hour back and ahead', '-3600')]
  : []
