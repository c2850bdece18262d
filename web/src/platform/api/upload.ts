import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { networkDown, type RawReply } from './call-failure.ts'
import { addressOf, type Part, type Parts, type SendOptions, textOf } from './request.ts'

/** Builds a multipart body: files as files, lists of files under one name, everything else as text or JSON. */
function formOf(body: unknown): FormData {
  if (body instanceof FormData) return body
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as Part)) {
    if (value === undefined || value === null) continue
    const values: unknown[] = Array.isArray(value) && value.some((one) => one instanceof Blob) ? value : [value]
    for (const one of values) {
      if (one instanceof Blob) form.append(name, one)
      else form.append(name, textOf(one))
    }
  }
  return form
}

/** Uploads files with XMLHttpRequest, because fetch does not report upload progress. */
export function viaXhr(
  call: CallDefinition,
  parts: Parts,
  headers: Record<string, string>,
  options: SendOptions,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(call.method, addressOf(call, parts))
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) options.onProgress?.(event.loaded / event.total)
    }
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = () => reject(networkDown())
    request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'))
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (options.signal?.aborted) return reject(new DOMException('The upload was canceled.', 'AbortError'))
    request.send(formOf(parts.body))
  })
}
