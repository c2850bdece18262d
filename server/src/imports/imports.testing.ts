import { uploadImport } from '@limber/contract/imports/import.ts'
import type { TestCaller } from '#platform/testing/testing.ts'

/** Uploads a file as a browser does. */
export async function upload(
  caller: TestCaller,
  resource: string,
  content: string | Buffer,
  filename = 'file.csv',
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ resource, ...fields })) form.append(name, value)
  form.append('file', new Blob([content as unknown as ArrayBuffer]), filename)
  const encoded = new Response(form)
  const rawBody = Buffer.from(await encoded.arrayBuffer())
  const type = encoded.headers.get('content-type') ?? ''
  return caller.send(uploadImport, {}, { rawBody, headers: { 'content-type': type } })
}
