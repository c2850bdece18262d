import {
  inlineImage,
  markupAttributes,
  markupGlobalAttributes,
  markupTags,
} from '@limber/contract/training/lessons/markup.ts'
import { type Token, Tokenizer, TokenizerMode } from 'parse5'

/** Where a picture, a film or a sound may come from. */
export type MediaCheck = (address: string) => boolean

const allowedTags = new Set(markupTags)
const voidTags = new Set(['br', 'hr', 'img', 'source'])

/** What these hold is no text for people: it goes with them. */
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

/** An address as a browser reads it: without the characters that it skips. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them inside a scheme
const asRead = (address: string) => address.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]/g, '')

/** May a link lead there? To the web, a mail or a phone, a place on the page, or a path of this site. */
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

/** Markdown's own way to write an address: it only looks like a tag. */
const autolink = /^<(?:https?:\/\/[^\s<>"'`]+|mailto:[^\s<>"'`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>$/

/**
 * HTML inside markdown, made safe without touching the markdown around it. Each tag of the result was written here from
 * the list of what is allowed; every other `<` that could begin one is text. Whoever reads it then, and however, finds
 * nothing else.
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

/** Lines that stand as code from the left margin: their text is not read as markup by anybody. */
const fence = /^(`{3,}|~{3,})(.*)$/

/**
 * Markdown without HTML: what looks like a tag becomes text that shows it as it was typed, except in code, which shows
 * it anyhow. Code is recognised narrowly: whole fences at the margin, and spans within one line and one table cell.
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
  // Spans of one or two backticks, closed by as many; a backslash before them makes them text.
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

// Prose may look like a definition ("[Tip]: Warning: …"), so there only what runs or embeds is turned away.
const dangerous = /^(?:javascript|vbscript|livescript|data|blob|file|filesystem|view-source):/i

/** The first link or picture of a markdown text that leads where none may; nothing when all are well. */
export function findBadLink(source: string): string | undefined {
  for (const [, mark, target = ''] of source.matchAll(/\]([(:])\s{0,10}<?([^\s)>]{1,300})/g)) {
    const address = decode(target)
    // The address of an inline picture is longer than what was looked at; its beginning decides.
    if (/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(address)) continue
    if (mark === '(' ? !isSafeLink(address) : dangerous.test(asRead(address))) return target
  }
  return undefined
}
