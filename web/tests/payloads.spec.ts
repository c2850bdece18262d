import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { pagePolicy } from '../../server/src/platform/http/headers.ts'
import { cssPayloads } from './payloads/css.ts'
import { htmlPayloads } from './payloads/html.ts'

/** The API of web/src/training/lessons/payloads.page.tsx. */
interface Tried {
  runs: number
  sinkNames: string[]
  tryMarkup: (sink: string, payloads: readonly string[]) => Promise<number>
  tryEditor: (hasHtml: boolean, payloads: readonly string[]) => Promise<number>
  runUnguarded: (payloads: readonly string[]) => Promise<void>
  tryStyles: (payloads: readonly string[]) => Promise<string[]>
  applyUnguarded: (payloads: readonly string[]) => Promise<number>
}
declare global {
  interface Window {
    tried: Tried
  }
}

const web = join(import.meta.dirname, '..')
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }
const PAGE = '<!doctype html><title>Payloads</title><div id="root"></div><script type="module" src="/page.js"></script>'

let folder: string
let server: Server
let base: string

// Bundled from the code that shows courses.
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-payloads-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: web,
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2024',
      minify: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(web, 'src/training/lessons/payloads.page.tsx'),
        output: { entryFileNames: 'page.js' },
      },
    },
  })
  server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  base = `http://localhost:${(server.address() as AddressInfo).port}`
})

/** Serves the built page and its files, optionally with the product's content security policy. */
async function answer(request: IncomingMessage, reply: ServerResponse): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (searchParams.get('policy') === 'on') reply.setHeader('content-security-policy', pagePolicy('none'))
  if (pathname === '/') return reply.setHeader('content-type', 'text/html').end(PAGE)
  const within = pathname.startsWith('/assets/') ? join(folder, 'assets') : folder
  try {
    const file = await readFile(join(within, basename(pathname)))
    reply.setHeader('content-type', types[extname(pathname)] ?? 'application/octet-stream').end(file)
  } catch {
    reply.writeHead(404).end()
  }
  return reply
}

test.afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Opens the page with or without the product's policy, and records requests to the payload host. */
async function open(page: Page, policy: 'on' | 'off'): Promise<string[]> {
  const fetched: string[] = []
  await page.route('**://sink.example/**', (route) => {
    fetched.push(route.request().url())
    return route.abort()
  })
  await page.goto(`${base}/?policy=${policy}`)
  await page.locator('body[data-ready]').waitFor({ state: 'attached' })
  return fetched
}

const runs = (page: Page) => page.evaluate(() => window.tried.runs)

test('there are enough payloads, and without protection they run and fetch', async ({ page }) => {
  expect(new Set(htmlPayloads).size).toBeGreaterThanOrEqual(200)
  expect(new Set(cssPayloads).size).toBeGreaterThanOrEqual(60)
  const fetched = await open(page, 'off')
  await page.evaluate((payloads) => window.tried.runUnguarded(payloads), htmlPayloads)
  expect(await runs(page)).toBeGreaterThan(20)
  expect(fetched.length).toBeGreaterThan(5)
  fetched.length = 0
  expect(await page.evaluate((payloads) => window.tried.applyUnguarded(payloads), cssPayloads)).toBeGreaterThan(10)
  expect(fetched.length).toBeGreaterThan(10)
})

for (const policy of ['on', 'off'] as const) {
  test(`payloads in courses do not run and fetch nothing, policy ${policy}`, async ({ page }) => {
    const fetched = await open(page, policy)
    const names = await page.evaluate(() => window.tried.sinkNames)
    // The policy only forbids, so what holds without it need not be tried again with it.
    for (const name of policy === 'off' ? names : ['rich text with HTML', 'unsanitized']) {
      const touched = await page.evaluate(([sink, payloads]) => window.tried.tryMarkup(sink, payloads), [
        name,
        htmlPayloads,
      ] as const)
      expect(touched, `${name} shows something`).toBeGreaterThan(200)
      expect(await runs(page), `runs in ${name}`).toBe(0)
      // Without both sanitizer and policy, videos from other hosts load. This proves that each of them matters.
      if (name === 'unsanitized' && policy === 'off') expect(fetched.length).toBeGreaterThan(0)
      else expect(fetched, `fetched by ${name}`).toEqual([])
    }
  })
}

test('payloads opened in or pasted into the rich editor do not run and fetch nothing', async ({ page }) => {
  const fetched = await open(page, 'off')
  for (const hasHtml of [true, false]) {
    const touched = await page.evaluate(([tags, payloads]) => window.tried.tryEditor(tags, payloads), [
      hasHtml,
      htmlPayloads,
    ] as const)
    expect(touched).toBeGreaterThan(200)
    expect(await runs(page)).toBe(0)
    expect(fetched).toEqual([])
  }
})

test('course styles load nothing, stay inside the frame and disappear with it', async ({ page }) => {
  const fetched = await open(page, 'off')
  expect(await page.evaluate((payloads) => window.tried.tryStyles(payloads), cssPayloads)).toEqual([])
  expect(fetched).toEqual([])
  expect(await runs(page)).toBe(0)
})
