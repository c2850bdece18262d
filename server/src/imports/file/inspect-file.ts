import type { Readable } from 'node:stream'
import type { ColumnProfile } from '@limber/contract/imports/import.ts'
import { detectEncoding, type Encoding, UnreadableFile } from './decode-file.ts'
import { DateForms } from './read-date.ts'
import { type Delimiter, readTable } from './read-table.ts'

export interface FileFacts {
  encoding: Encoding
  delimiter: Delimiter
  rows: number
  columns: ColumnProfile[]
}

/** Other products separate cells by these characters. */
const otherDelimiters = /[|~^]/

/** Reads the whole file: how it is written, and how each column is filled. Opens it twice. */
export async function inspectFile(open: () => Promise<Readable>): Promise<FileFacts> {
  const encoding = await detectEncoding(await open())
  let delimiter: Delimiter = ','
  let headers: string[] | undefined
  let forms: DateForms[] = []
  let filled: number[] = []
  let rows = 0
  for await (const { cells } of readTable(await open(), encoding, (found) => {
    delimiter = found
  })) {
    if (!headers) {
      headers = readHeaders(cells)
      forms = headers.map(() => new DateForms())
      filled = headers.map(() => 0)
      continue
    }
    rows++
    for (const [place, form] of forms.entries()) {
      const cell = (cells[place] ?? '').trim()
      if (cell === '') continue
      filled[place] = (filled[place] ?? 0) + 1
      if (cell.length <= 40) form.add(cell)
    }
  }
  if (!headers || rows === 0) throw new UnreadableFile('The file has no rows below its headers.')
  const columns = headers.map((header, place) => {
    const { iso, numeric, named, example, order } = forms[place] as DateForms
    return {
      header,
      filled: filled[place] ?? 0,
      dates: iso + numeric + named > 0 ? { iso, numeric, named, example, order } : null,
    }
  })
  return { encoding, delimiter, rows, columns }
}

/** The headers of a file, without spaces around them. Two columns of the same name cannot be told apart. */
export function readHeaders(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => cell.trim())
  const [only = ''] = headers
  if (headers.length === 1 && otherDelimiters.test(only))
    throw new UnreadableFile('The file has only one column. Separate columns by commas, semicolons or tabs.')
  if (headers.every((header) => header === '')) throw new UnreadableFile('The first line has no headers.')
  const seen = new Set<string>()
  for (const header of headers) {
    if (header.length > 500) throw new UnreadableFile('A header has more than 500 characters.')
    if (header !== '' && seen.has(header))
      throw new UnreadableFile(`Two columns are named ${header}. Rename one of them.`)
    seen.add(header)
  }
  return headers
}
