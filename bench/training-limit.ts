import { createReadStream, createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { hashToken } from '../server/src/platform/security/secrets.ts'

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk
  return JSON.parse(text || '{}') as Record<string, unknown>
}

const LESSONS = `select l.id, l.lesson_key, l.title, l.description, l.content_type, l.content, l.styles, l.duration_minutes, l.is_required,
    l.is_active, l.passing_score, l.max_attempts, l.position, l.question_count, l.created_at, l.updated_at, l.version, m.module_key,
    array(select requires_id from training_lesson_prerequisites p where p.lesson_id = l.id) as prerequisites,
    array(select refers_to from training_lesson_references r where r.lesson_id = l.id) as "references"
  from training_lessons l join training_modules m on m.id = l.module_id where l.course_id = $1 order by m.position, l.position`

/**
 * The limit: a bare server with hand-written SQL, one session lookup per request, and plain streams to and from a file.
 * Its replies are as long as those of the product.
 */
export function openLimit(port: number, pool: pg.Pool, videoPath: string): Promise<Server> {
  const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
  const send = (response: ServerResponse, value: unknown) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(value))
  }

  async function getCourse(request: IncomingMessage, response: ServerResponse) {
    const { course_key } = await readBody(request)
    const course = await query('course', 'select * from training_courses where course_key = $1', [course_key])
    const { id } = course.rows[0] as { id: string }
    const modules = query('modules', 'select * from training_modules where course_id = $1 order by position', [id])
    const lessons = query('lessons', LESSONS, [id])
    send(response, { course: course.rows[0], modules: (await modules).rows, lessons: (await lessons).rows })
  }

  async function reorder(request: IncomingMessage, response: ServerResponse) {
    const { lesson_ids } = await readBody(request)
    const client = await pool.connect()
    await client.query('begin')
    await client.query(
      `update training_lessons l set position = o.position - 1 from unnest($1::bigint[]) with ordinality o (id, position) where l.id = o.id`,
      [lesson_ids],
    )
    await client.query('commit')
    client.release()
    send(response, { success: true })
  }

  async function upload(request: IncomingMessage, response: ServerResponse) {
    await pipeline(request, createWriteStream(videoPath))
    send(response, { success: true })
  }

  async function part(request: IncomingMessage, response: ServerResponse) {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    response.statusCode = 206
    await pipeline(createReadStream(videoPath, { start: Number(from), end: Number(to) }), response)
  }

  const handlers: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    '/api/training/courses/get': getCourse,
    '/api/training/lessons/reorder': reorder,
    '/api/training/assets/upload': upload,
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const token = /sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const session = `select w.permissions from sessions s join workers w on w.id = s.worker_id where s.token_hash = $1`
    await query('session', session, [hashToken(token)])
    await (handlers[request.url ?? ''] ?? part)(request, response)
  }
  const server = createServer((request, response) => void handle(request, response))
  return new Promise((ready) => server.listen(port, '127.0.0.1', () => ready(server)))
}
