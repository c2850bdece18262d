import { randomBytes } from 'node:crypto'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { TestCaller, TestReply } from './testing.ts'

export interface Part {
  name: string
  filename?: string
  content: Buffer | string
  type?: string
}

/** Encodes a multipart form like a browser. */
export function formBody(parts: readonly Part[]): { rawBody: Buffer; headers: Record<string, string> } {
  const boundary = `----limber${randomBytes(8).toString('hex')}`
  const chunks: Buffer[] = []
  for (const { name, filename, content, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${
      filename === undefined ? '' : `Content-Type: ${type ?? 'application/octet-stream'}\r\n`
    }\r\n`
    chunks.push(Buffer.from(head), Buffer.from(content), Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { rawBody: Buffer.concat(chunks), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export const sendForm = <C extends CallDefinition>(
  caller: TestCaller,
  call: C,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<TestReply<C>> => {
  const form = formBody(parts)
  return caller.send(call, {}, { ...form, headers: { ...form.headers, ...headers } })
}
