import { BYTE_ORDER_MARK, type CsvCell, csvLine } from '@limber/contract/kit/csv.ts'

/** Formats rows as CSV. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string => rows.map(csvLine).join('')

const CSV = 'text/csv;charset=utf-8'

/** Downloads a text as a file. */
export function saveText(name: string, text: string, type = CSV): void {
  const url = URL.createObjectURL(new Blob(type === CSV ? [BYTE_ORDER_MARK, text] : [text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
