// Spreadsheets run what begins with these; the full-width ones are folded to them on opening.
const formula = /^[=+\-@\t\r\0＝＋－＠]/

type Cell = string | number | bigint | boolean | null | undefined

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  const text = String(cell)
  // A number that we wrote ourselves is no formula, its minus sign included.
  const safe = typeof cell === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as CSV (RFC 4180), with formulas disarmed. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

// Without it a spreadsheet takes the file for its country's old alphabet, and Raúl for RaÃºl.
const BYTE_ORDER_MARK = '\uFEFF'
const CSV = 'text/csv;charset=utf-8'

/** Gives a text to the browser as a file. */
export function saveText(name: string, text: string, type = CSV): void {
  const url = URL.createObjectURL(new Blob(type === CSV ? [BYTE_ORDER_MARK, text] : [text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
