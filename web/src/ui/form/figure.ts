const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?=\.|$)/

/** A typed figure as a plain decimal, `1,234.50` as `1234.50`, or what is wrong with it in words that follow the label. */
export type Figure = { decimal: string; problem?: never } | { decimal?: never; problem: string }

/** Reads a figure that is not negative, and only one that can be kept exactly: nothing typed is dropped or rounded. */
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

/** What was typed and is no figure: every schema refuses it, and the text is still there. */
export class Unreadable {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString() {
    return this.text
  }
}
