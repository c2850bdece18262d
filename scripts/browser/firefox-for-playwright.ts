#!/usr/bin/env node
/**
 * Firefox as Playwright starts it, for the versions that Debian packages. Between the two it translates: commands of
 * WebDriver BiDi that this Firefox does not know yet succeed without effect. The session comes from Marionette, because
 * only there can a virtual passkey be added.
 */
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocketServer } from 'ws'

interface Message {
  id?: number
  method?: string
  error?: string
  params?: { channel?: string; source: { context: string }; data: { value: string } }
}

const PASSKEY = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserConsenting: true,
  isUserVerified: true,
}
/** Lets Playwright evaluate its code in the page; all else of the page's policy stays. */
const ALLOW_EVAL = {
  'manifest.json': JSON.stringify({
    ...{ manifest_version: 2, name: 'Allow eval', version: '1' },
    permissions: ['webRequest', 'webRequestBlocking', '<all_urls>'],
    background: { scripts: ['background.js'] },
  }),
  'background.js': `browser.webRequest.onHeadersReceived.addListener(
    ({ responseHeaders }) => {
      for (const header of responseHeaders)
        if (/^content-security-policy$/i.test(header.name))
          header.value = header.value.replace('script-src ', "script-src 'unsafe-eval' ")
      return { responseHeaders }
    },
    { urls: ['<all_urls>'], types: ['main_frame', 'sub_frame'] },
    ['blocking', 'responseHeaders'],
  )`,
}
/** What Playwright asks for and these journeys do not need. */
const OPTIONAL = /^(browser\.setDownloadBehavior|emulation\.|network\.(addDataCollector|setExtraHeaders))/

const args = process.argv.slice(2)
const profile = args[args.indexOf('--profile') + 1] ?? ''
const firefox = spawn('firefox-esr', ['--marionette', ...args], { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill('SIGKILL'))

const listening = new Promise<void>((resolve) => {
  let log = ''
  firefox.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4000)
    if (log.includes('WebDriver BiDi listening')) resolve()
  })
})

/** Marionette's messages: their length, a colon, and an array of direction, id, error or command, and content. */
class Marionette {
  #id = 0
  #rest = Buffer.alloc(0)
  readonly #waiting: ((message: [number, number, { message: string } | null, unknown]) => void)[] = []
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(Buffer.from(chunk)))
  }

  #take(chunk: Buffer) {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const colon = this.#rest.indexOf(':')
      const end = colon + 1 + Number(this.#rest.subarray(0, colon).toString())
      if (colon < 0 || this.#rest.length < end) return
      const message: unknown = JSON.parse(this.#rest.subarray(colon + 1, end).toString())
      this.#rest = this.#rest.subarray(end)
      if (Array.isArray(message)) this.#waiting.shift()?.(message as [number, number, null, unknown])
    }
  }

  async send<Reply>(command: string, parameters: object): Promise<Reply> {
    const text = JSON.stringify([0, ++this.#id, command, parameters])
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error, reply] = await new Promise<[number, number, { message: string } | null, unknown]>((resolve) =>
      this.#waiting.push(resolve),
    )
    if (error) throw new Error(`${command}: ${error.message}`)
    return reply as Reply
  }
}

async function openMarionette(): Promise<Marionette> {
  for (;;) {
    const port = Number(await readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '0'))
    if (port > 0) return new Marionette(connect(port, '127.0.0.1'))
    await wait(50)
  }
}

await listening
const marionette = await openMarionette()
const { sessionId, capabilities } = await marionette.send<{
  sessionId: string
  capabilities: { webSocketUrl: string }
}>('WebDriver:NewSession', { webSocketUrl: true, unhandledPromptBehavior: { default: 'ignore' } })
const extension = join(profile, 'allow-eval')
await mkdir(extension)
for (const [name, text] of Object.entries(ALLOW_EVAL)) await writeFile(join(extension, name), text)
await marionette.send('Addon:Install', { path: extension, temporary: true })
await marionette.send('WebAuthn:AddVirtualAuthenticator', PASSKEY)

/**
 * Runs before the code of each page. It tells of changes of the address without a load, which this Firefox does not
 * report, and enters text as a person does: React does not see a value that is set.
 */
const PREPARE_PAGE = `(report) => {
  const enter = (text) => {
    const { activeElement } = document
    if (activeElement?.localName === 'iframe') return activeElement
    document.execCommand('insertText', false, text)
  }
  Object.defineProperty(window, '__pw_bidiInsertText', { get: () => enter, set() {} })
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name]
    history[name] = function (...values) {
      change.apply(this, values)
      report(location.href)
    }
  }
  addEventListener('popstate', () => report(location.href))
}`
const ADDRESS = 'limber-address'
const OWN_ID = Number.MAX_SAFE_INTEGER - 1000

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('connection', (playwright) => {
  const browser = new WebSocket(capabilities.webSocketUrl)
  const opened = new Promise((resolve) => browser.addEventListener('open', resolve, { once: true }))
  const sent = new Map<number, string>()
  const answer = (message: object) => playwright.send(JSON.stringify(message))
  const pass = (message: string) => void opened.then(() => browser.send(message))
  playwright.on('message', (data) => {
    const text = String(data)
    const { id = 0, method = '' } = JSON.parse(text) as Message
    if (method === 'browser.close') return void firefox.kill('SIGKILL')
    if (method !== 'session.new') {
      sent.set(id, method)
      return pass(text)
    }
    const params = {
      functionDeclaration: PREPARE_PAGE,
      arguments: [{ type: 'channel', value: { channel: ADDRESS } }],
    }
    pass(JSON.stringify({ id: OWN_ID, method: 'script.addPreloadScript', params }))
    answer({ type: 'success', id, result: { sessionId, capabilities } })
  })
  browser.addEventListener('message', ({ data }) => {
    const { id, method, error, params } = JSON.parse(String(data)) as Message
    if (id === OWN_ID) return
    if (method === 'script.message' && params?.channel === ADDRESS) {
      const { context } = params.source
      const changed = { context, url: params.data.value, timestamp: Date.now() }
      return answer({ type: 'event', method: 'browsingContext.historyUpdated', params: changed })
    }
    const command = sent.get(id ?? 0) ?? ''
    if (id !== undefined) sent.delete(id)
    if (error === 'unknown command' && OPTIONAL.test(command))
      return answer({ type: 'success', id, result: { collector: 'none' } })
    playwright.send(data)
  })
  playwright.once('close', () => firefox.kill('SIGKILL'))
})
server.once('listening', () => {
  const { port } = server.address() as { port: number }
  process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`)
})
