export type CsvCell = string | number | bigint | boolean | null | undefined

// Spreadsheets run cells that begin like a formula, also in full-width characters. A leading apostrophe makes them text.
// Text that has one already gets another, so that reading takes away exactly what writing added.
const formula = /^'*[=+\-@\t\r\0\uff1d\uff0b\uff0d\uff20]/
const number = /^-?\d+(\.\d+)?$/
// In some locales, spreadsheets split at semicolons or tabs and ignore quotes in the middle. Escape what would begin a
// cell there too. A dash before a space begins a list item, not a formula.
const inside = /([;\t\r\n]["'\s]*)([=@\uff1d\uff20]|[+\-\uff0b\uff0d](?!\s))/g

/** One CSV cell. Typed text is escaped against formula injection, and quoted where any spreadsheet would split it. */
export function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const begun = formula.test(cell) && !number.test(cell) ? `'${cell}` : cell
  const safe = begun.replace(inside, (_, before: string, sign: string) => `${before}'${sign}`)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const escapedInside = /([;\t\r\n]["'\s]*)'([=@\uff1d\uff20]|[+\-\uff0b\uff0d](?!\s))/g

/** The text of a cell without what `csvCell` put before formulas. */
export function textOfCell(cell: string): string {
  const plain = cell.replace(escapedInside, '$1$2')
  return plain.startsWith("'") && formula.test(plain) ? plain.slice(1) : plain
}

/** One CSV line (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Starts the file. Without it, spreadsheets assume a legacy encoding and show Raúl as RaÃºl. */
export const BYTE_ORDER_MARK = '\uFEFF'
