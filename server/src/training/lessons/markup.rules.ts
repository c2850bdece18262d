import {
  inlineImage,
  markupAttributes,
  markupGlobalAttributes,
  markupTags,
} from '@limber/contract/training/lessons/markup.ts'
import { type Token, Tokenizer, TokenizerMode } from 'parse5'

/** Whether an image, video or audio URL is allowed. */
export type MediaCheck = (address: string) => boolean

const allowedTags = new Set(markupTags)
const voidTags = new Set(['br', 'hr', 'img', 'source'])

/** Tags whose content is not text for readers; it is removed with the tag. */
const swallowed = new Map<string, number>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
])

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])

/** A URL as a browser reads it: without the characters it skips. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them inside a scheme
const asRead = (address: string) => address.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]/g, '')

/** Whether a link is allowed: web, email, phone, an anchor on the page, or a path on this site. */
export function isSafeLink(address: string): boolean {
  const read = asRead(address)
  const scheme = /^([^/?#]*?):/.exec(read)?.[1]
  if (scheme !== undefined) return linkSchemes.has(scheme.toLowerCase())
  return !/^[/\\]{2}/.test(read)
}

const escapeText = (text: string) => text.replace(/<(?=[A-Za-z/!?])/g, '&lt;')
const escapeValue = (text: string) =>
  text
    .replace(/[\r\n\t\f]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/`/g, '&#96;')

function isAllowedValue(tag: string, name: string, value: string, isMedia: MediaCheck): boolean {
  if (name === 'href') return isSafeLink(value)
  if (name === 'src' || name === 'poster') return isMedia(value) || (tag === 'img' && inlineImage.test(value))
  if (name === 'class') return /^[\w\s-]{0,200}$/.test(value)
  return value.length <= 1000
}

function writeTag({ tagName, attrs }: Token.TagToken, isMedia: MediaCheck): string {
  const own = markupAttributes[tagName] ?? []
  const kept = attrs
    .filter(({ name }) => own.includes(name) || markupGlobalAttributes.includes(name))
    .filter(({ name, value }) => isAllowedValue(tagName, name, value, isMedia))
    .map(({ name, value }) => (value === '' ? ` ${name}` : ` ${name}="${escapeValue(value)}"`))
  return `<${tagName}${kept.join('')}>`
}

/** A markdown autolink only looks like a tag. */
const autolink = /^<(?:https?:\/\/[^\s<>"'`]+|mailto:[^\s<>"'`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>$/

/**
 * Sanitizes HTML inside markdown and leaves the markdown around it unchanged. Every tag in the result is rebuilt from
 * the allowlist, and every other `<` that could start a tag is escaped. So the result is safe in any renderer.
 */
export function cleanHtml(source: string, isMedia: MediaCheck): string {
  let written = ''
  let at = 0
  let inside: string | undefined
  const upTo = (start: number) => {
    if (inside === undefined) written += escapeText(source.slice(at, start))
    at = Math.max(at, start)
  }
  const place = (token: Token.Token) => token.location ?? { startOffset: source.length, endOffset: source.length }
  const skip = (token: Token.Token) => {
    upTo(place(token).startOffset)
    at = place(token).endOffset
  }
  const nothing = () => {}
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const raw = source.slice(place(token).startOffset, place(token).endOffset)
        if (inside === undefined && autolink.test(raw)) {
          upTo(place(token).startOffset)
          written += raw
          at = place(token).endOffset
          return
        }
        skip(token)
        const mode = swallowed.get(token.tagName)
        if (mode !== undefined) {
          inside ??= token.tagName
          tokenizer.state = mode
        } else if (inside === undefined && allowedTags.has(token.tagName)) written += writeTag(token, isMedia)
      },
      onEndTag(token) {
        skip(token)
        if (inside === token.tagName) inside = undefined
        else if (inside === undefined && allowedTags.has(token.tagName) && !voidTags.has(token.tagName))
          written += `</${token.tagName}>`
      },
      onComment: skip,
      onDoctype: skip,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onEof: () => upTo(source.length),
    },
  )
  tokenizer.write(source, true)
  return written
}

/** A code fence at the left margin. No renderer reads the lines inside it as markup. */
const fence = /^(`{3,}|~{3,})(.*)$/

/**
 * Escapes HTML in markdown, so that tags show as typed. Code is left alone because it shows tags anyway. Code is
 * recognized narrowly: whole fences at the margin, and spans within one line and one table cell.
 */
export function escapeHtml(source: string): string {
  let open: string | undefined
  return source
    .split('\n')
    .map((line) => {
      const mark = fence.exec(line)
      if (open !== undefined) {
        if (mark?.[1]?.startsWith(open) && mark[2]?.trim() === '') open = undefined
        return line
      }
      if (mark?.[1] && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) {
        open = mark[1]
        return mark[1] + escapeText(mark[2] ?? '')
      }
      return escapeLine(line)
    })
    .join('\n')
}

function escapeLine(line: string): string {
  // Spans of one or two backticks, closed by the same number. A backslash before them makes them text.
  if (line.includes('|') || line.includes('\\`')) return escapeOutside(line)
  const parts = line.split(/((?<!`)`{1,2}(?!`)[^`]+(?<!`)`{1,2}(?!`))/)
  return parts
    .map((part, index) => {
      const isSpan = index % 2 === 1 && /^(`{1,2})[^`]+\1$/.test(part)
      return isSpan ? part : escapeOutside(part)
    })
    .join('')
}

const escapeOutside = (text: string) =>
  text.replace(/<[^<>]*>?|</g, (found) => (autolink.test(found) ? found : escapeText(found)))

const named: Record<string, string> = {
  colon: ':',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  nbsp: '\u00a0',
}

const decode = (text: string) =>
  text
    .replace(/&#x([0-9a-f]{1,6});?/gi, (whole, hex: string) => fromCode(Number.parseInt(hex, 16), whole))
    .replace(/&#(\d{1,7});?/g, (whole, digits: string) => fromCode(Number(digits), whole))
    .replace(/&([a-z]{1,8});/gi, (whole, name: string) => named[name.toLowerCase()] ?? whole)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

const fromCode = (code: number, otherwise: string) => (code <= 0x10ffff ? String.fromCodePoint(code) : otherwise)

// Prose can look like a link definition ("[Tip]: Warning: …"), so there only schemes that run or embed are refused.
const dangerous = /^(?:javascript|vbscript|livescript|data|blob|file|filesystem|view-source):/i

/** The first disallowed link or image in a markdown text; undefined if all are allowed. */
export function findBadLink(source: string): string | undefined {
  for (const [, mark, target = ''] of source.matchAll(/\]([(:])\s{0,10}<?([^\s)>]{1,300})/g)) {
    const address = decode(target)
    // An inline image is longer than the matched part; its start decides.
    if (/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(address)) continue
    if (mark === '(' ? !isSafeLink(address) : dangerous.test(asRead(address))) return target
  }
  return undefined
}
