import { isPlainText } from './file-kind.ts'

const moment = String.raw`(?:\d{1,4}:)?[0-5]\d:[0-5]\d\.\d{3}`
const timing = new RegExp(`^${moment}[ \\t]*-->[ \\t]*${moment}(?:[ \\t].*)?$`)

/** True for a cue: a time range, at most one line before it, and text after it. */
function isCue(lines: readonly string[]): boolean {
  const at = lines.findIndex((line) => line.includes('-->'))
  return (
    (at === 0 || at === 1) && timing.test(lines[at] ?? '') && lines.slice(at + 1).every((line) => !line.includes('-->'))
  )
}

/**
 * A WebVTT file with its cues, notes and regions. Style blocks are removed, because they could load external content.
 * Undefined when it is not valid WebVTT.
 */
export function cleanSubtitles(bytes: Buffer): Buffer | undefined {
  if (!isPlainText(bytes)) return undefined
  const [head = '', ...rest] = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => block.replace(/^\n+|\n+$/g, ''))
    .filter((block) => block !== '')
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(head)) return undefined
  const blocks = rest.filter((block) => !/^STYLE[ \t]*(?:\n|$)/.test(block))
  const isOther = (block: string) => /^(?:NOTE(?:[ \t\n]|$)|REGION[ \t]*(?:\n|$))/.test(block)
  const cues = blocks.filter((block) => !isOther(block)).map((block) => block.split('\n'))
  if (cues.length === 0 || !cues.every(isCue)) return undefined
  return Buffer.from(`${[head, ...blocks].join('\n\n')}\n`)
}
