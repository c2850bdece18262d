export type CsvCell = string | number | bigint | boolean | null | undefined

// A spreadsheet runs a cell that begins like a formula, also in full-width letters; a mark in front makes it plain text.
const formula = /^[=+\-@\t\r\0\uff1d\uff0b\uff0d\uff20]/
const number = /^-?\d+(\.\d+)?$/
// A spreadsheet of another country splits a line at semicolons or tabs, and takes quotes in the middle for text: what
// would then begin a cell is disarmed as well. A dash before a space begins no formula but an item of a list.
const inside = /([;\t\r\n]["'\s]*)([=@\uff1d\uff20]|[+\-\uff0b\uff0d](?!\s))/g

/** One cell of CSV. Numbers stand as they are; what somebody typed is disarmed, and quoted where any spreadsheet would split it. */
export function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const begun = formula.test(cell) && !number.test(cell) ? `'${cell}` : cell
  const safe = begun.replace(inside, (_, before: string, sign: string) => `${before}'${sign}`)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of CSV, as RFC 4180 says. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Begins the file: without it a spreadsheet takes it for its country's old alphabet, and Raúl for RaÃºl. */
export const BYTE_ORDER_MARK = '\uFEFF'
