// A spreadsheet runs a cell that begins like a formula; a mark in front makes it plain text.
const formula = /^[=+\-@\t\r]/

/** One cell of CSV. Numbers stand as they are; text that looks like a formula is disarmed. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formula.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of CSV. */
export const csvLine = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join(',')}\r\n`
