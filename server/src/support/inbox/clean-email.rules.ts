import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { escapeHtml } from './email-html.rules.ts'

export interface CleanEmail {
  html: string
  /** It asks for images of other servers. */
  hasRemote: boolean
}

const MAX_STYLES = 100_000
const MAX_STYLE = 5_000
const MAX_VALUE = 2_000

const split = (names: string) => new Set(names.split(' '))

const tags = split(
  'a abbr address b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption ' +
    'figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table ' +
    'tbody td tfoot th thead tr tt u ul var',
)
const attributes = split(
  'align alt bgcolor border cellpadding cellspacing class color colspan dir face height href lang rowspan size span src ' +
    'start style title type valign width',
)
const voidTags = split('br hr img col')

/** Tags whose content is no text for readers; it is removed with the tag. */
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

const remoteInStyle = /url\s*\(\s*["']?\s*(?:https?:)?\/\//i

const isLink = (address: string) => /^(?:https?:\/\/|mailto:|tel:)/i.test(address)
const isImage = (address: string) =>
  /^(?:https?:\/\/|cid:)/i.test(address) || /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]+$/i.test(address)

/** Repeats of earlier emails, as the common programs mark them. */
const isQuote = ({ tagName, attrs }: Token.TagToken) =>
  attrs.some(
    ({ name, value }) =>
      (tagName === 'blockquote' && name === 'type' && value === 'cite') ||
      (name === 'class' &&
        /(?:^|\s)(?:gmail_quote|yahoo_quoted|moz-cite-prefix)(?:\s|$)/.test(value) &&
        tagName === 'div'),
  )

function cleanValue(tag: string, name: string, value: string): string | undefined {
  const trimmed = value.trim()
  if (name === 'href') return tag === 'a' && isLink(trimmed) ? trimmed : undefined
  if (name === 'src') return tag === 'img' && isImage(trimmed) ? trimmed : undefined
  if (name === 'style') return trimmed.length <= MAX_STYLE ? trimmed : undefined
  return trimmed.length <= MAX_VALUE ? trimmed : undefined
}

/**
 * The HTML of an email without anything that runs, submits or frames. Every tag in the result is rebuilt from the lists
 * above. What the first repeated email contains is folded. It is shown only in a frame whose policy allows no scripts.
 */
export function cleanEmail(source: string): CleanEmail {
  let html = ''
  let styles = ''
  let hasRemote = false
  let inside: string | undefined
  /** The tag of the folded part, and how many of its kind are open in it. */
  let fold: { tag: string; depth: number } | undefined

  const writeTag = ({ tagName, attrs }: Token.TagToken) => {
    const kept = attrs
      .filter(({ name }) => attributes.has(name))
      .flatMap(({ name, value }) => {
        const cleaned = cleanValue(tagName, name, value)
        return cleaned === undefined ? [] : [{ name, value: cleaned }]
      })
    for (const { name, value } of kept)
      hasRemote ||= (name === 'src' && /^https?:/i.test(value)) || (name === 'style' && remoteInStyle.test(value))
    const rel = tagName === 'a' ? ' target="_blank" rel="noopener noreferrer nofollow"' : ''
    html += `<${tagName}${kept.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join('')}${rel}>`
  }
  const write = (chars: string) => {
    if (inside === 'style') styles += styles.length < MAX_STYLES ? chars : ''
    else if (inside === undefined) html += escapeHtml(chars)
  }
  const onText = ({ chars }: Token.CharacterToken) => write(chars)
  const nothing = () => {}
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(token) {
        const { tagName } = token
        const mode = swallowed.get(tagName)
        if (mode !== undefined) {
          inside ??= tagName
          tokenizer.state = mode
        } else if (inside === undefined && tags.has(tagName)) {
          if (!fold && isQuote(token)) {
            fold = { tag: tagName, depth: 0 }
            html += '<details><summary>Quoted text</summary>'
          }
          if (fold?.tag === tagName) fold.depth++
          writeTag(token)
        }
      },
      onEndTag({ tagName }) {
        if (inside !== undefined) {
          if (inside === tagName) inside = undefined
          return
        }
        if (!tags.has(tagName) || voidTags.has(tagName)) return
        html += `</${tagName}>`
        if (fold?.tag === tagName && --fold.depth === 0) {
          html += '</details>'
          fold = undefined
        }
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onComment: nothing,
      onDoctype: nothing,
      onNullCharacter: nothing,
      onEof: nothing,
    },
  )
  tokenizer.write(source, true)
  if (fold) html += '</details>'
  hasRemote ||= remoteInStyle.test(styles)
  return { html: styles === '' ? html : `<style>${styles.replaceAll('</', '')}</style>${html}`, hasRemote }
}

/** Puts the addresses of files in the place of Content-IDs. An image without a file keeps only its description. */
export const placeImages = (html: string, addressOf: (contentId: string) => string | undefined) =>
  html.replace(/ src="cid:([^"]{0,2000})"/gi, (_, escaped: string) => {
    const id = escaped.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
    const address = addressOf(id) ?? addressOf(decodeSafely(id))
    return address === undefined ? '' : ` src="${escapeHtml(address)}"`
  })

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
