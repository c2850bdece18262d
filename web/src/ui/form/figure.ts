const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?=\.|$)/

/** A typed number as a plain decimal (`1,234.50` becomes `1234.50`), or the problem as text that follows the label. */
export type Figure = { decimal: string; problem?: never } | { decimal?: never; problem: string }

/** Parses a non-negative number. Never drops or rounds digits: an inexact number is a problem. */
export function readFigure(typed: string, decimals: number): Figure {
  const text = typed.trim().replace(/^\$\s*/, '')
  const plain = THOUSANDS.test(text) ? text.replaceAll(',', '') : text
  if (/^[-−][\d.,]+$/.test(plain)) return { problem: 'must not be negative' }
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain))
    return { problem: decimals === 0 ? 'must be a whole number' : 'must be a number like 1,234.50' }
  const [whole = '', fraction = ''] = plain.split('.')
  if (fraction.length > decimals)
    return { problem: decimals === 0 ? 'must be a whole number' : `must have at most ${decimals} decimals` }
  return { decimal: `${whole || '0'}${fraction && `.${fraction}`}` }
}

/** Text that is not a number. Every schema rejects it, and the field can still show it. */
export class Unreadable {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString() {
    return this.text
  }
}
