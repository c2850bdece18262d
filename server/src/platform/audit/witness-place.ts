import { appendFile, readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { SECOND } from '../clock.ts'
import type { Config } from '../config.ts'
import { makeStorage } from '../storage/open-storage.ts'

/** Where the ends of the audit chain are written, one line each. */
export interface WitnessPlace {
  name: string
  read(): Promise<string[]>
  add(line: string, now: Date): Promise<void>
}

const PREFIX = 'audit-witness/'
const POST_WITHIN = 15 * SECOND

const linesOf = (all: string) => all.split('\n').filter((line) => line.trim() !== '')

const isNothing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const inFile = (name: string): WitnessPlace => ({
  name,
  async read() {
    const content = await readFile(name, 'utf8').catch((error: unknown) => {
      if (isNothing(error)) return ''
      throw error
    })
    return linesOf(content)
  },
  add: (line) => appendFile(name, `${line}\n`, { mode: 0o600, flush: true }),
})

/** One object for each line, so that a bucket may forbid changes of what it has. */
const inBucket = (bucket: string, s3: Config['s3Access']): WitnessPlace => {
  const open = () => makeStorage({ s3: { bucket, ...s3 }, storagePath: '' })
  return {
    name: `bucket ${bucket}, ${PREFIX}`,
    async read() {
      const storage = await open()
      const lines: string[] = []
      for await (const { key } of storage.list(PREFIX)) {
        const object = await storage.get(key)
        if (object) lines.push(...linesOf(await text(object)))
      }
      return lines
    },
    async add(line, now) {
      const key = `${PREFIX}${now.toISOString().replaceAll(':', '-')}`
      await (await open()).put(key, Buffer.from(`${line}\n`), { type: 'text/plain', size: line.length + 1 })
    },
  }
}

/** Another program keeps the lines. It gives them back as a file. */
const atAddress = (url: string): WitnessPlace => ({
  name: new URL(url).host,
  read() {
    throw new Error(
      `${new URL(url).host} is only written to. Verify with a file of the lines that it got: --witness FILE`,
    )
  },
  async add(line) {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `${line}\n`,
      redirect: 'error',
      signal: AbortSignal.timeout(POST_WITHIN),
    })
    await reply.body?.cancel()
    if (!reply.ok) throw new Error(`${new URL(url).host} answered ${reply.status}.`)
  },
})

/** A file, `s3://bucket` with the credentials of the file storage, or the address of a program. */
export function openWitness(place: string, { s3Access }: Pick<Config, 's3Access'>): WitnessPlace {
  const bucket = /^s3:\/\/([^/]+)\/?$/.exec(place)?.[1]
  if (bucket) return inBucket(bucket, s3Access)
  return /^https?:\/\//.test(place) ? atAddress(place) : inFile(place)
}
