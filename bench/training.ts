import { mkdtemp, rm } from 'node:fs/promises'
import { request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { uploadLimits } from '../contract/src/training/assets/asset.ts'
import { makeMp4 } from '../server/src/platform/testing/testing.files.ts'
import { matches } from '../web/src/training/matches.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { memoryOf, type Served, serveOurs, signInWorker, withDatabase } from './served.ts'
import { openLimit } from './training-limit.ts'

const PORT = 3851
const LIMIT_PORT = 3852
const MODULES = 40
const LESSONS_OF_MODULE = 20
const MB = 1024 * 1024
const VIDEO_BYTES = Number(process.env.BENCH_VIDEO_BYTES_MB ?? 500) * MB
const VIDEO_MEMORY = 100
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 21)
const PART = 64 * 1024
const FRAME_MS = 16
const BOUNDARY = '----limber-bench'

/** A course of 40 modules and 800 lessons with a page of text each. */
async function fill(data: pg.Client) {
  await data.query(`insert into training_courses (id, course_key, title, created_at, updated_at)
    overriding system value values (1, 'large', 'Large', now(), now())`)
  await data.query(
    `insert into training_modules (course_id, module_key, title, position, created_at, updated_at)
     select 1, 'm' || n, 'Module ' || n, n, now(), now() from generate_series(0, $1::int - 1) n`,
    [MODULES],
  )
  await data.query(
    `insert into training_lessons (course_id, module_id, lesson_key, title, content_type, content, position, created_at, updated_at)
     select 1, m.id, 'l' || n, 'Lesson ' || n || ' of ' || m.title, 'text',
       jsonb_build_object('trainingLessonContent', repeat('Hold the heel and breathe out. ', 50), 'formatting', 'markdown', 'allowHtml', false, 'trainingStylesheet', ''),
       n, now(), now() from training_modules m, generate_series(0, $1::int - 1) n`,
    [LESSONS_OF_MODULE],
  )
  await data.query('analyze')
}

/** A multipart form with a video of this size, generated while it is sent, so that the sender needs no memory for it. */
function* formOf(bytes: number): Generator<Buffer> {
  const field = (name: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  yield Buffer.from(`${field('course_key')}large\r\n${field('file', '; filename="video.mp4"')}`)
  const head = makeMp4({ bytes: 0 })
  const frames = bytes - head.length
  // The last box is the video data. Its length precedes its name.
  head.writeUInt32BE(8 + frames, head.length - 8)
  yield head
  const zeros = Buffer.alloc(PART)
  for (let left = frames; left > 0; left -= PART) yield left >= PART ? zeros : zeros.subarray(0, left)
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
}

function send(port: number, { headers }: Served, path: string, body: Readable, type: string) {
  return new Promise<{ status: number; text: string }>((done, fail) => {
    const sent = request(
      { port, host: '127.0.0.1', path, method: 'POST', headers: { ...headers, 'content-type': type } },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        reply.on('end', () => done({ status: reply.statusCode ?? 0, text }))
      },
    )
    sent.on('error', fail)
    body.pipe(sent)
  })
}

async function timed(work: () => Promise<{ status: number }>): Promise<number> {
  const startedAt = performance.now()
  const { status } = await work()
  if (status !== 200) throw new Error(`Unexpected status ${status}`)
  return performance.now() - startedAt
}

const post = (port: number, served: Served, path: string, body: object) =>
  send(port, served, path, Readable.from([Buffer.from(JSON.stringify(body))]), 'application/json')

/** Our server and the limit in turns. The first round does not count. */
async function inTurns(name: string, budget: number, rounds: number, work: (port: number) => Promise<number>) {
  const times = { ours: [] as number[], limit: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [ours, limit] = [await work(PORT), await work(LIMIT_PORT)]
    if (round === 0) continue
    times.ours.push(ours)
    times.limit.push(limit)
  }
  const [ours, limit] = [median(times.ours), median(times.limit)]
  return { name, budget, ratio: ours / limit, figure: `${ours.toFixed(1)} ms against ${limit.toFixed(1)} ms` }
}

async function measureCourse(served: Served, data: pg.Client): Promise<Result[]> {
  const open = await inTurns('training: a course of 800 lessons opens', 1.6, ROUNDS, (port) =>
    timed(() => post(port, served, '/api/training/courses/get', { course_key: 'large' })),
  )
  const { rows } = await data.query<{ id: string }>(
    `select l.id from training_lessons l join training_modules m on m.id = l.module_id where m.module_key = 'm7'`,
  )
  let ids = rows.map(({ id }) => Number(id))
  const reorder = await inTurns('training: lessons are reordered', 4, ROUNDS, (port) => {
    ids = ids.toReversed()
    const body = { course_key: 'large', module_key: 'm7', lesson_ids: ids }
    return timed(() => post(port, served, '/api/training/lessons/reorder', body))
  })
  return [open, reorder, await measureSearch(served)]
}

/** Filtering the list while typing. All lessons are already loaded. */
async function measureSearch(served: Served): Promise<Result> {
  const body = { course_key: 'large', with_content: false }
  const { text } = await post(PORT, served, '/api/training/lessons/list', body)
  const lessons = (JSON.parse(text) as { data: { title: string; lesson_key: string }[] }).data
  if (lessons.length !== MODULES * LESSONS_OF_MODULE) throw new Error(`${lessons.length} lessons are listed`)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const found = lessons.filter(({ title, lesson_key }) => matches('lesson 7', title, lesson_key))
    times.push(performance.now() - startedAt)
    if (found.length === 0) throw new Error('No lesson found')
  }
  const ms = median(times)
  return {
    name: 'training: a search through 800 lessons, within a frame',
    ratio: ms / FRAME_MS,
    budget: 1,
    figure: `${ms.toFixed(2)} ms of ${FRAME_MS} ms`,
  }
}

const upload = (port: number, served: Served, bytes: number) =>
  send(
    port,
    served,
    '/api/training/assets/upload',
    Readable.from(formOf(bytes), { objectMode: false }),
    `multipart/form-data; boundary=${BOUNDARY}`,
  )

/** A video that is one byte too large is rejected with a message. */
async function checkLimit(served: Served) {
  const { maxBytes } = uploadLimits.video
  const { status, text } = await upload(PORT, served, maxBytes + 1)
  const message = (JSON.parse(text) as { message?: string }).message
  if (status !== 413 || message !== `Videos can be at most ${maxBytes / MB} MB.`)
    throw new Error(`A video that is too large returned ${status}: ${message}`)
}

/** Runs work and returns its result with the peak memory of the server. */
async function peakDuring<T>(served: Served, work: () => Promise<T>): Promise<{ done: T; peak: number }> {
  let peak = memoryOf(served)
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(served))
  }, 20)
  try {
    const done = await work()
    return { done, peak }
  } finally {
    clearInterval(sampler)
  }
}

async function measureVideo(served: Served): Promise<Result[]> {
  const before = memoryOf(served)
  let url = ''
  const uploads = () =>
    inTurns(`training: a video of ${VIDEO_BYTES / MB} MB is uploaded`, 3, 2, async (port) =>
      timed(async () => {
        const reply = await upload(port, served, VIDEO_BYTES)
        if (reply.status !== 200) throw new Error(`The upload returned ${reply.status}: ${reply.text.slice(0, 200)}`)
        if (port === PORT) url = (JSON.parse(reply.text) as { asset?: { url: string } }).asset?.url ?? ''
        return reply
      }),
    )
  const { done: uploaded, peak } = await peakDuring(served, uploads)
  const seek = await inTurns('training: seeking in the video', 2.5, ROUNDS * 5, (port) => {
    const start = Math.floor(Math.random() * (VIDEO_BYTES - PART))
    const range = `bytes=${start}-${start + PART - 1}`
    return timed(async () => {
      const reply = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { ...served.headers, range } })
      const part = await reply.arrayBuffer()
      return { status: reply.status === 206 && part.byteLength === PART ? 200 : reply.status }
    })
  })
  const memory = {
    name: `training: memory of the upload within ${VIDEO_MEMORY} MB`,
    ratio: (peak - before) / VIDEO_MEMORY,
    budget: 1,
    figure: `${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB`,
  }
  await checkLimit(served)
  return [uploaded, memory, seek]
}

/** Response times of other calls while work is running. */
async function waitsDuring(served: Served, work: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  const others = async () => {
    while (!isDone) {
      waits.push((await served.call('/api/auth/check')).ms)
      await new Promise((done) => setTimeout(done, 2))
    }
  }
  const reading = others()
  await work()
  isDone = true
  await reading
  return waits
}

/** Response times of other calls while a stylesheet of maximum size is saved, against an idle server, in turns. */
async function measureStyles(served: Served): Promise<Result> {
  const sheet = '.portal-card h2:hover { color: #123456; padding: 4px }\n'.repeat(1800)
  const waits = { saving: [] as number[], idle: [] as number[] }
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    const body = { course_key: 'large', trainingStylesheet: `${sheet}/* ${round} */` }
    const save = () => timed(() => post(PORT, served, '/api/training/courses/update', body))
    const saving = await waitsDuring(served, save)
    const ms = performance.now() - startedAt
    const idle = await waitsDuring(served, () => new Promise((done) => setTimeout(done, ms)))
    if (round === 0) continue
    waits.saving.push(...saving)
    waits.idle.push(...idle)
  }
  const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  const [saving, idle] = [p99(waits.saving), p99(waits.idle)]
  return {
    name: 'training: other calls while 100 KB of CSS is saved, p99',
    ratio: saving / idle,
    budget: 8,
    figure: `${saving.toFixed(1)} ms against ${idle.toFixed(1)} ms idle, of ${waits.saving.length} calls`,
  }
}

async function measure(databaseUrl: string, data: pg.Client): Promise<Result[]> {
  await fill(data)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const storage = await mkdtemp(join(tmpdir(), 'limber-bench-'))
  let served: Served | undefined
  let limit: Server | undefined
  try {
    served = await serveOurs(PORT, databaseUrl, await signInWorker(data, '{65}'), { LIMBER_STORAGE: storage })
    limit = await openLimit(LIMIT_PORT, pool, join(storage, 'video'))
    const course = await measureCourse(served, data)
    const styles = await measureStyles(served)
    return [...course, styles, ...(await measureVideo(served))]
  } finally {
    served?.child.kill('SIGKILL')
    limit?.closeAllConnections()
    limit?.close()
    await pool.end()
    await rm(storage, { recursive: true, force: true })
  }
}

/** Measures a large course, a large video and a large stylesheet. */
export const benchTraining = () => withDatabase('training', measure)
