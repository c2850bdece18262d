const isQuote = (line: string) => /^\s*>/.test(line)
const isBlank = (line: string) => line.trim() === ''

/** `On Tue, Nov 17, 2026 at 9:56 AM Maya <maya@example.com> wrote:` */
const intro =
  /^\s*(?:on|am|le|el|il|em|op|den|dne)\b.{4,300}\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev)\b.{0,100}:\s*$/i
const year = /\b(?:19|20)\d\d(?!\d)/
const time = /\b\d{1,2}[:.h]\d\d(?!\d)/
const address = /<\s?[^<>\s]{1,200}@[^<>\s]{1,200}>/

/** The same in any language: a date, a time, an address, and a colon at the end. */
const isDated = (line: string) => /[:：]\s*$/.test(line) && year.test(line) && time.test(line) && address.test(line)

const divider = new RegExp(
  `^\\s*-{2,}\\s*(?:${[
    'original message',
    'forwarded message',
    'ursprüngliche nachricht',
    'weitergeleitete nachricht',
    "message d'origine",
    'message transféré',
    'mensaje original',
    'messaggio originale',
    'mensagem original',
    'oorspronkelijk bericht',
  ].join('|')})\\s*-{2,}\\s*$`,
  'i',
)

const senders = 'from|von|de|da|van|från|fra|od|от|差出人|发件人|寄件者'
const others =
  'sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|enviada em|data|fecha|para|asunto|assunto|' +
  'inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|送信日時|宛先|件名|发送时间|收件人|主题'
const sender = new RegExp(`^\\s*\\*?(?:${senders})\\s?[:：]\\*?\\s+\\S`, 'i')
const other = new RegExp(`^\\s*\\*?(?:${others})\\s?[:：]\\*?\\s`, 'i')

/** The header lines that Outlook puts above the email that it repeats. */
const isOutlookHead = (lines: readonly string[], at: number) =>
  sender.test(lines[at] ?? '') && lines.slice(at + 1, at + 5).filter((line) => other.test(line)).length >= 2

const rule = /^\s*_{10,}\s*$/

const MAX_INTRO = 320

/** How many lines introduce the repeated email: one, or two when it was wrapped. */
function introLines(lines: readonly string[], at: number): number {
  const one = (lines[at] ?? '').slice(0, MAX_INTRO)
  if (intro.test(one) || isDated(one)) return 1
  const next = lines[at + 1] ?? ''
  if (isBlank(one) || isBlank(next)) return 0
  // The line may break within the address.
  return [`${one} ${next}`, `${one}${next}`].some(
    (both) => both.length <= MAX_INTRO && (intro.test(both) || isDated(both)),
  )
    ? 2
    : 0
}

const isRepeat = (lines: readonly string[]) => lines.every((line) => isQuote(line) || isBlank(line))

function isStart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (divider.test(line) || isOutlookHead(lines, at)) return true
  if (rule.test(line)) return isOutlookHead(lines, at + 1)
  if (isQuote(line)) return isRepeat(lines.slice(at))
  const count = introLines(lines, at)
  if (count === 0) return false
  const rest = lines.slice(at + count)
  if (rest.some(isQuote)) return isRepeat(rest)
  // Some programs repeat the email without marks.
  return isDated(lines.slice(at, at + count).join(' ')) && !rest.every(isBlank)
}

/** Lines that are worth a closer look. */
const mayStart = (line: string) =>
  isQuote(line) || /^\s*(?:--|_{10})/.test(line) || /[:：]\s*$/.test(line) || line.includes('<') || sender.test(line)

/**
 * Separates what is new in an email from the earlier emails that it repeats at its end. Answers between quoted lines
 * stay together with them. A signature above the repeated part stays with the new text.
 */
export function splitQuoted(text: string): { content: string; quoted: string } {
  const lines = text.split('\n')
  // Only the first lines that can start a repeated email are tried, so that a long email costs little.
  let tried = 0
  for (const [at, line] of lines.entries()) {
    // The first line of a wrapped introduction may show nothing yet.
    if (!mayStart(line) && !year.test(line)) continue
    if (++tried > 200) break
    if (!isStart(lines, at)) continue
    const content = lines.slice(0, at).join('\n').trim()
    if (content === '') break
    return { content, quoted: lines.slice(at).join('\n').trim() }
  }
  return { content: text.trim(), quoted: '' }
}
