import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/testing.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>')
  await writeFile(join(folder, 'mark.svg'), '<svg/>')
  await writeFile(join(folder, 'assets/app-1a2b.js'), 'plain')
  await writeFile(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync('packed'))
  await writeFile(join(folder, 'secret.key'), 'secret')
  server = await startTestServer({ env: { LIMBER_WEB: folder } })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { accept: 'text/html', ...headers } })

describe('pages', () => {
  it('get a new nonce each time, in the page and in its policy', async () => {
    const [one, two] = [await get('/'), await get('/')]
    const nonce = /nonce="([^"]+)"/.exec(await one.text())?.[1] ?? ''
    expect(nonce.length).toBeGreaterThan(15)
    expect(one.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(await two.text()).not.toContain(nonce)
  })
  it('forbid framing, sniffing, referrers and external content', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  })
  it.each([
    ['GET', '/'],
    ['GET', '/healthz'],
    ['GET', '/api/nothing'],
    ['POST', '/nothing'],
    ['POST', '/api/auth/logout'],
  ])('and all other replies isolate other sites and disable unused browser features: %s %s', async (method, path) => {
    const { headers } = await fetch(server.url + path, { method, headers: { accept: 'text/html' } })
    const header = (name: string) => headers.get(name)
    expect(header('cross-origin-opener-policy')).toBe('same-origin')
    expect(header('cross-origin-resource-policy')).toBe('same-origin')
    expect(header('x-frame-options')).toBe('DENY')
    expect(header('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    const features = header('permissions-policy') ?? ''
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
      expect(features).toContain(`${feature}=()`)
    for (const act of ['get', 'create']) expect(features).toContain(`publickey-credentials-${act}=(self)`)
  })
  it.each([
    '/worker/managing',
    '/onboarding?token=abc',
    '/recovery',
    '/anything/at/all',
    '/redirect?to=https://evil.example',
  ])('are served at %s without the data of the URL', async (path) => {
    const reply = await get(path)
    expect(reply.status).toBe(200)
    expect(await reply.text()).not.toContain('abc')
  })
  it('follow a new build without a restart', async () => {
    await get('/')
    await writeFile(join(folder, 'index.html'), '<p>new</p><script nonce="__CSP_NONCE__"></script>')
    expect(await (await get('/')).text()).toContain('<p>new</p>')
  })
  it('are not served to clients that ask for JSON', async () => {
    expect((await get('/worker/managing', { accept: 'application/json' })).status).toBe(404)
    expect((await get('/api/none')).status).toBe(404)
  })
})

describe('files of the web app', () => {
  it('are compressed and cached for a year', async () => {
    const reply = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br' })
    expect(await reply.text()).toBe('packed')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await (await get('/assets/app-1a2b.js', { 'accept-encoding': 'identity' })).text()).toBe('plain')
  })
  it('include the logo', async () => {
    expect((await get('/mark.svg')).headers.get('content-type')).toBe('image/svg+xml')
  })
  it.each([
    '/assets/../secret.key',
    '/assets/%2e%2e/secret.key',
    '/assets/..%2fsecret.key',
    '/assets/none.js',
    '/assets/app-1a2b.js.br',
  ])('do not include %s', async (path) => {
    const reply = await get(path, { accept: '*/*' })
    expect(reply.status).toBe(404)
    expect(await reply.text()).not.toContain('secret')
  })
  it('do not allow CORS preflight requests from other origins', async () => {
    const reply = await fetch(`${server.url}/api/auth/check`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })
})
