import { type Token, Tokenizer, TokenizerMode } from 'parse5'

const hidden = new Map<string, number>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['noscript', TokenizerMode.RAWTEXT],
])
const blocks = new Set('p div tr table ul ol h1 h2 h3 h4 h5 h6 blockquote section article header footer pre'.split(' '))

/** The text of an HTML email for people who read no markup. */
export function htmlToText(html: string): string {
  let text = ''
  let inside: string | undefined
  let quotes = 0
  const newLine = () => {
    if (!text.endsWith('\n')) text += '\n'
  }
  const write = (chars: string) => {
    if (inside !== undefined) return
    if (quotes > 0 && (text === '' || text.endsWith('\n'))) text += '> '
    text += chars
  }
  const nothing = () => {}
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag({ tagName }: Token.TagToken) {
        const mode = hidden.get(tagName)
        if (mode !== undefined) {
          inside ??= tagName
          tokenizer.state = mode
        } else if (tagName === 'br') text += '\n'
        else if (tagName === 'li') {
          newLine()
          write('- ')
        } else if (tagName === 'td' || tagName === 'th') write(' ')
        else if (blocks.has(tagName)) newLine()
        if (tagName === 'blockquote') quotes++
      },
      onEndTag({ tagName }: Token.TagToken) {
        if (inside === tagName) inside = undefined
        if (tagName === 'blockquote') quotes = Math.max(0, quotes - 1)
        if (tagName === 'p') text += '\n\n'
        else if (blocks.has(tagName)) newLine()
      },
      onCharacter: ({ chars }: Token.CharacterToken) => write(chars.replace(/\s+/g, ' ')),
      onWhitespaceCharacter: () => {
        if (inside === undefined && !/\s$/.test(text) && text !== '') text += ' '
      },
      onComment: nothing,
      onDoctype: nothing,
      onNullCharacter: nothing,
      onEof: nothing,
    },
  )
  tokenizer.write(html, true)
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
