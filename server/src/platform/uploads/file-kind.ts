import { type AssetType, uploadLimits } from '@limber/contract/training/assets/asset.ts'

export interface FileKind {
  type: AssetType
  mime: string
  extension: string
  limit: number
  /** For messages. */
  plural: string
}

const limitOf = (name: keyof typeof uploadLimits) => {
  const { maxBytes: limit, plural } = uploadLimits[name]
  return { limit, plural }
}
const image = { type: 'image', ...limitOf('image') } as const
const video = { type: 'video', ...limitOf('video') } as const
const audio = { type: 'audio', ...limitOf('audio') } as const
const text = { type: 'document', mime: 'text/plain', ...limitOf('text') } as const

/** Allowed file types, by the type detected from the content. */
const kinds: Record<string, FileKind> = {
  'image/jpeg': { ...image, mime: 'image/jpeg', extension: 'jpg' },
  'image/png': { ...image, mime: 'image/png', extension: 'png' },
  'image/gif': { ...image, mime: 'image/gif', extension: 'gif' },
  'image/webp': { ...image, mime: 'image/webp', extension: 'webp' },
  'video/mp4': { ...video, mime: 'video/mp4', extension: 'mp4' },
  'video/webm': { ...video, mime: 'video/webm', extension: 'webm' },
  'audio/mpeg': { ...audio, mime: 'audio/mpeg', extension: 'mp3' },
  'audio/ogg': { ...audio, mime: 'audio/ogg', extension: 'ogg' },
  'audio/wav': { ...audio, mime: 'audio/wav', extension: 'wav' },
  'application/pdf': {
    type: 'document',
    mime: 'application/pdf',
    extension: 'pdf',
    ...limitOf('pdf'),
  },
  'text/vtt': {
    type: 'other',
    mime: 'text/vtt',
    extension: 'vtt',
    ...limitOf('subtitles'),
  },
}

export const kindOfMime = (mime: string): FileKind | undefined => kinds[mime.split(';')[0] ?? '']

/** Plain text has no signature, so only the file name identifies it. */
export function kindOfText(filename: string): FileKind | undefined {
  const extension = /\.(txt|md)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension ? { ...text, extension } : undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
const markup = /^\s*(?:<!--[\s\S]{0,1000}?-->\s*)?<(?:!doctype|\?xml|html|head|body|svg|script|iframe|math)\b/i

/** True for UTF-8 text without control characters that is not disguised HTML or SVG. */
export function isPlainText(bytes: Buffer): boolean {
  try {
    const read = utf8.decode(bytes)
    return !control.test(read) && !markup.test(read)
  } catch {
    return false
  }
}

// Invisible characters and those that reverse the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A file name that is safe to show: no path, no invisible characters, limited length. */
export function sanitizeFilename(name: string): string {
  const bare = name
    .toWellFormed()
    .normalize('NFC')
    .replace(hidden, '')
    .replace(/^.*[/\\]/, '')
    .replace(/[<>:"|?*]/g, '_')
  const trimmed = bare.replace(/^\.+|[.\s]+$/g, '').trim()
  if (trimmed.length <= 200) return trimmed || 'file'
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(trimmed)?.[0] ?? ''
  return trimmed.slice(0, 200 - extension.length) + extension
}

/** The page count of a PDF: the largest /Count in it. Null when the PDF is compressed. */
export function countPages(bytes: Buffer): number | null {
  let pages = 0
  for (const [, digits] of bytes.toString('latin1').matchAll(/\/Count\s{1,5}(\d{1,6})/g))
    pages = Math.max(pages, Number(digits))
  return pages > 0 ? pages : null
}

/** True for a complete PDF with nothing before its header. */
export const isWholePdf = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 5) === '%PDF-' &&
  bytes.toString('latin1', Math.max(0, bytes.length - 2048)).includes('%%EOF')
