import { pipeline, Readable } from 'node:stream'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { CsvError, parse } from 'csv-parse'
import { makePauses } from '#platform/long-work.ts'
import { decodeFile, type Encoding, UnreadableFile } from './decode-file.ts'

export const MAX_COLUMNS = 500
const MAX_ROW_LENGTH = 1_000_000

export interface TableRow {
  /** The line of the file on which the row begins. */
  line: number
  cells: string[]
}

export type Delimiter = ',' | ';' | '\t'

/** The rows of a CSV file, the headers first. Empty lines are left out. */
export async function* readTable(
  file: Readable,
  encoding: Encoding,
  onDelimiter: (delimiter: Delimiter) => void = () => {},
): AsyncGenerator<TableRow> {
  const text = decodeFile(file, encoding)
  const { head, rest } = await peekLine(text)
  const delimiter = findDelimiter(head)
  onDelimiter(delimiter)
  // The parser is some rows ahead of its reader; the row after its last one is the bad one.
  let readLines = 0
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (row: string[], { lines }) => {
      readLines = lines
      return row
    },
  })
  // Its reader gets the error.
  pipeline(Readable.from(rest), parser, () => {})
  const pauses = makePauses()
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const breaks = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
      if (record.length > MAX_COLUMNS)
        throw new UnreadableFile(
          `Line ${formatInteger(info.lines - breaks)} has ${formatInteger(record.length)} columns. A file may have at most ${MAX_COLUMNS}.`,
        )
      if (record.some((cell) => cell !== '')) yield { line: info.lines - breaks, cells: record }
      if (pauses.isDue()) await pauses.take()
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(faultOf(error, readLines + 1))
    throw error
  }
}

function faultOf({ code }: CsvError, line: number): string {
  const place = `Line ${formatInteger(line)}`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `${place}: a quote is never closed.`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${place}: this row is longer than ${formatInteger(MAX_ROW_LENGTH)} characters. A quote may never be closed.`
  if (code === 'INVALID_OPENING_QUOTE')
    return `${place}: a quote is in the middle of a cell. Put the whole cell in quotes, and write each quote inside twice.`
  if (code === 'CSV_INVALID_CLOSING_QUOTE')
    return `${place}: text follows a closing quote. Write each quote inside a cell twice.`
  return `${place}: this row cannot be read.`
}

/** The first line of a text, as far as it is short, and the whole text again. */
async function peekLine(text: AsyncGenerator<string>): Promise<{ head: string; rest: AsyncGenerator<string> }> {
  let head = ''
  for (let next = await text.next(); !next.done; next = await text.next()) {
    head += next.value
    if (head.includes('\n') || head.length > MAX_ROW_LENGTH) break
  }
  const rest = (async function* () {
    yield head
    yield* text
  })()
  return { head: head.split(/\r?\n/)[0] ?? '', rest }
}

/** The character that separates the cells of the first line, outside of quotes. */
function findDelimiter(line: string): Delimiter {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const counts = ([',', ';', '\t'] as const).map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}
