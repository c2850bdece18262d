const isQuote = (line: string) => /^\s*>/.test(line)
const isBlank = (line: string) => line.trim() === ''

/** `On Tue, Nov 17, 2026 at 9:56 AM Maya <maya@example.com> wrote:`, possibly on two lines. */
const intro = /^\s*(?:on|am|le|el|il|op)\b.{4,300}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef)\s*:\s*$/i
const divider = /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht)\s*-{2,}\s*$/i

/** The header lines that Outlook puts above the email that it repeats. */
function isOutlookHead(lines: readonly string[], at: number): boolean {
  if (!/^\s*\*?(?:from|von|de):\*?\s+\S/i.test(lines[at] ?? '')) return false
  const next = lines.slice(at + 1, at + 5)
  return next.filter((line) => /^\s*\*?(?:sent|date|to|subject|cc|gesendet|an|betreff):\*?\s/i.test(line)).length >= 2
}

function isStart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (divider.test(line) || isOutlookHead(lines, at)) return true
  const isIntro = line.length <= 320 && (intro.test(line) || intro.test(`${line} ${lines[at + 1] ?? ''}`.slice(0, 320)))
  const rest = lines.slice(at + (intro.test(line) ? 1 : 2))
  if (isIntro) return rest.some(isQuote) && rest.every((each) => isQuote(each) || isBlank(each))
  return isQuote(line) && lines.slice(at).every((each) => isQuote(each) || isBlank(each))
}

/**
 * Separates what is new in an email from the earlier emails that it repeats at its end. Answers between quoted lines
 * stay together with them. A signature above the repeated part stays with the new text.
 */
export function splitQuoted(text: string): { content: string; quoted: string } {
  const lines = text.split('\n')
  // Only the first lines that can start a repeated email are tried, so that a long email costs little.
  let tried = 0
  for (const [at, line] of lines.entries()) {
    if (!/^\s*(?:>|-{2}|\*?(?:from|von|de):|on\b|am\b|le\b|el\b|il\b|op\b)/i.test(line)) continue
    if (++tried > 200) break
    if (!isStart(lines, at)) continue
    const content = lines.slice(0, at).join('\n').trim()
    if (content === '') break
    return { content, quoted: lines.slice(at).join('\n').trim() }
  }
  return { content: text.trim(), quoted: '' }
}
