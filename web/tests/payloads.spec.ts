import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { pagePolicy } from '../../server/src/platform/headers.ts'
import { cssPayloads } from './payloads/css.ts'
import { htmlPayloads } from './payloads/html.ts'

interface Bench extends Window {
  count: number
  sinkNames: string[]
  tryMarkup: (sink: string, payloads: readonly string[]) => Promise<number>
  tryStyles: (payloads: string[]) => Promise<string[]>
  control: (payloads: string[]) => Promise<void>
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.mjs': 'text/javascript',
}
const PAGE = '<!doctype html><title>Payloads</title><div id="root"></div><script type="module" src="/page.js"></script>'

let folder: string
let server: Server
let base: string

test.beforeAll(async () => {
  // The page is bundled from the very code that shows courses.
  test.setTimeout(180_000)
  folder = await mkdtemp(join(tmpdir(), 'limber-payloads-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, '..'),
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(import.meta.dirname, '../src/training/payloads.page.tsx'),
        output: { entryFileNames: 'page.js' },
      },
    },
  })
  server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (searchParams.get('policy') === 'on') reply.setHeader('content-security-policy', pagePolicy('none'))
    if (pathname === '/') return reply.setHeader('content-type', 'text/html').end(PAGE)
    try {
      const file = await readFile(join(folder, pathname.replaceAll('..', '')))
      reply.setHeader('content-type', types[extname(pathname)] ?? 'application/octet-stream').end(file)
    } catch {
      reply.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  base = `http://localhost:${(server.address() as AddressInfo).port}`
})

test.afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

test('what is written into courses runs nowhere and fetches nothing', async ({ page }) => {
  test.setTimeout(240_000)
  const fetched: string[] = []
  await page.route('**://sink.example/**', (route) => {
    fetched.push(route.request().url())
    return route.abort()
  })
  const ready = async (policy: 'on' | 'off') => {
    await page.goto(`${base}/?policy=${policy}`)
    await page.locator('body[data-ready]').waitFor({ state: 'attached' })
  }
  const count = () => page.evaluate(() => (window as unknown as Bench).count)
  expect(htmlPayloads.length).toBeGreaterThanOrEqual(200)
  expect(cssPayloads.length).toBeGreaterThanOrEqual(60)

  await test.step('the suite notices: unguarded, payloads run and fetch', async () => {
    await ready('off')
    await page.evaluate((payloads) => (window as unknown as Bench).control(payloads), [...htmlPayloads])
    expect(await count()).toBeGreaterThan(20)
    expect(fetched.length).toBeGreaterThan(5)
  })

  for (const policy of ['on', 'off'] as const) {
    await test.step(`every sink, policy ${policy}`, async () => {
      await ready(policy)
      fetched.length = 0
      const names = await page.evaluate(() => (window as unknown as Bench).sinkNames)
      for (const name of names) {
        // Without the sanitiser the frame and the policy of the page hold together, not each alone.
        if (name === 'unsanitised' && policy === 'off') continue
        const touched = await page.evaluate(
          ([sink, payloads]) => (window as unknown as Bench).tryMarkup(sink, payloads),
          [name, [...htmlPayloads]] as const,
        )
        expect(touched, `${name} shows something`).toBeGreaterThan(200)
        expect(await count(), `runs in ${name}`).toBe(0)
        expect(fetched, `fetches from ${name}`).toEqual([])
      }
    })
  }

  await test.step('custom CSS loads nothing, stays inside and goes with the frame', async () => {
    await ready('off')
    fetched.length = 0
    expect(
      await page.evaluate((payloads) => (window as unknown as Bench).tryStyles(payloads), [...cssPayloads]),
    ).toEqual([])
    expect(fetched).toEqual([])
    expect(await count()).toBe(0)
  })
})
