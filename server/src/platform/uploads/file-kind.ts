import { type AssetType, uploadLimits } from '@limber/contract/training/assets/asset.ts'

export interface FileKind {
  type: AssetType
  mime: string
  extension: string
  limit: number
  /** For words about it. */
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

/** What may be uploaded, by what its content says it is. */
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

/** The kind behind a type found in the content. */
export const kindOfMime = (mime: string): FileKind | undefined => kinds[mime.split(';')[0] ?? '']

/** Text has no mark of its own: only its name says that it is meant to be text. */
export function kindOfText(filename: string): FileKind | undefined {
  const extension = /\.(txt|md)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension ? { ...text, extension } : undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
const markup = /^\s*(?:<!--[\s\S]{0,1000}?-->\s*)?<(?:!doctype|\?xml|html|head|body|svg|script|iframe|math)\b/i

/** Is it text for people: UTF-8 without control characters, and no page or picture in disguise? */
export function isPlainText(bytes: Buffer): boolean {
  try {
    const read = utf8.decode(bytes)
    return !control.test(read) && !markup.test(read)
  } catch {
    return false
  }
}

// Marks that turn the direction of a name around or hide in it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A name as it is kept to be shown: without a path, without what cannot be seen, and not too long. */
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

/** Pages of a PDF: the largest count in it. Packed ones do not tell. */
export function countPages(bytes: Buffer): number | null {
  let most = 0
  for (const [, digits] of bytes.toString('latin1').matchAll(/\/Count\s{1,5}(\d{1,6})/g))
    most = Math.max(most, Number(digits))
  return most > 0 ? most : null
}

/** A PDF from its first byte to its last: nothing stands before it, and its end is there. */
export const isWholePdf = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 5) === '%PDF-' &&
  bytes.toString('latin1', Math.max(0, bytes.length - 2048)).includes('%%EOF')
