import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Email, Line } from '@limber/contract/kit/values.ts'
import type { z } from 'zod'

type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }

/** True when a person can answer. The terminal would stop a background job that reads from it. */
export function canAsk(): boolean {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return group === foreground
  } catch {
    // No /proc, as on macOS.
    return true
  }
}

/** Asks for the first Owner's name and email unless the settings define them. Returns what is known when the input ends. */
export async function askOwner(
  known: { OWNER_NAME?: string | undefined; OWNER_EMAIL?: string | undefined },
  streams: Streams = { input: process.stdin, output: process.stdout },
): Promise<{ OWNER_NAME?: string | undefined; OWNER_EMAIL?: string | undefined }> {
  // No raw mode, so that Ctrl-C still sends a signal.
  const lines = createInterface({ ...streams, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async <Schema extends z.ZodType<string>>(question: string, schema: Schema, problem: string) => {
    for (;;) {
      streams.output.write(`  ${question}: `)
      const answer = await answers.next()
      if (answer.done) return undefined
      const read = schema.safeParse(answer.value)
      if (read.success) return read.data
      streams.output.write(`  ${problem}\n`)
    }
  }
  streams.output.write('\n  Who is the first Owner of your company?\n')
  try {
    const name = known.OWNER_NAME || (await ask('Name', Line(120), 'Enter a name of at most 120 characters.'))
    const email = known.OWNER_EMAIL || (await ask('Email', Email, 'Enter an email address, such as you@example.com.'))
    return { OWNER_NAME: name, OWNER_EMAIL: email }
  } finally {
    streams.output.write('\n')
    lines.close()
  }
}
