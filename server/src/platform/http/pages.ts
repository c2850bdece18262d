import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from '../security/secrets.ts'
import { type PageHosts, pagePolicy, REPORTING } from './headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  }
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves the built web app: hashed, precompressed files cached for a year; the page itself with a new nonce each time. */
export function registerPages(app: FastifyInstance, folder: string, hosts?: PageHosts) {
  const root = resolve(folder)
  let page = { text: '', changed: -1 }
  app.decorate('sendPage', async (_request: FastifyRequest, reply: FastifyReply) => {
    // A new build replaces the files that the old page references, so a changed page is read again.
    page = await readPage(join(root, 'index.html'), page).catch(() => ({ text: '', changed: -1 }))
    const { text } = page
    if (!text)
      return reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built. Run npm run build.')
    const nonce = randomToken(16)
    return reply
      .header('content-security-policy', pagePolicy(nonce, hosts))
      .header('reporting-endpoints', REPORTING)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(text.replaceAll('__CSP_NONCE__', () => nonce))
  })
  app.get('/assets/*', { exposeHeadRoute: false }, (request, reply) => sendFile(root, request, reply))
  for (const name of ['mark.svg'])
    app.get(`/${name}`, { exposeHeadRoute: false }, (request, reply) => sendFile(root, request, reply))
}

async function readPage(path: string, known: { text: string; changed: number }) {
  const { mtimeMs } = await stat(path)
  return mtimeMs === known.changed ? known : { text: await readFile(path, 'utf8'), changed: mtimeMs }
}

async function sendFile(root: string, request: FastifyRequest, reply: FastifyReply) {
  const path = join(root, decodeURIComponent(request.url.split('?')[0] ?? ''))
  const type = types[extname(path)]
  if (!path.startsWith(root + sep) || !type) return reply.callNotFound()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const [encoding, suffix] of encodings) {
    if (accepted.includes(encoding) && (await isFile(path + suffix))) {
      reply.header('content-encoding', encoding)
      return send(request, reply, path + suffix, type)
    }
  }
  return (await isFile(path)) ? send(request, reply, path, type) : reply.callNotFound()
}

function send(request: FastifyRequest, reply: FastifyReply, path: string, type: string) {
  const isHashed = request.url.startsWith('/assets/')
  return reply
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    .header('vary', 'accept-encoding')
    .type(type)
    .send(createReadStream(path))
}

const isFile = async (path: string) => {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
