import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { detectEncoding } from './decode-file.ts'
import { readTable } from './read-table.ts'

/** A file in pieces of odd sizes, as they come from a disk or a network. */
const fileOf = (bytes: Buffer) =>
  Readable.from((bytes.length > 1000 ? [bytes] : [...bytes].map((byte) => Buffer.from([byte]))) as Buffer[])

async function read(content: string | Buffer) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const encoding = await detectEncoding(fileOf(bytes))
  const rows: { line: number; cells: string[] }[] = []
  for await (const row of readTable(fileOf(bytes), encoding)) rows.push(row)
  return { encoding, rows }
}
const cellsOf = async (content: string | Buffer) => (await read(content)).rows.map(({ cells }) => cells)

describe('the encoding of a file', () => {
  const text = 'name,price\nJazmín’s,5 €\n'
  const windows = Buffer.from([...text].map((char) => ({ '’': 0x92, '€': 0x80 })[char] ?? char.charCodeAt(0)))
  it.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\uFEFF${text}`)],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['windows-1252', windows],
  ])('is %s', async (encoding, bytes) => {
    const found = await read(bytes)
    expect(found.encoding).toBe(encoding)
    expect(found.rows.map(({ cells }) => cells)).toEqual([
      ['name', 'price'],
      ['Jazmín’s', '5 €'],
    ])
  })

  it('is Windows-1252 when a byte far into the file is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(`name\n${'Ana\n'.repeat(20_000)}`), Buffer.from([0x92, 0x0a])])
    const { encoding, rows } = await read(bytes)
    expect(encoding).toBe('windows-1252')
    expect(rows.at(-1)?.cells).toEqual(['’'])
  })
})

describe('the rows of a file', () => {
  it.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['quoted headers with the other separators', '"a";"b"\n1;2\n'],
    ['Windows line ends', 'a,b\r\n1,2\r\n'],
    ['no line end at the end', 'a,b\n1,2'],
    ['empty lines', 'a,b\n\n1,2\n\n'],
  ])('are read with %s', async (_name, text) => {
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('have the line on which they begin, also after cells of several lines', async () => {
    const { rows } = await read('id,note\n1,"one\ntwo ""three"""\n\n2,x\n')
    expect(rows).toEqual([
      { line: 1, cells: ['id', 'note'] },
      { line: 2, cells: ['1', 'one\ntwo "three"'] },
      { line: 5, cells: ['2', 'x'] },
    ])
  })
})

describe('an unreadable file', () => {
  it.each([
    ['is empty', '', 'The file is empty.'],
    [
      'is a ZIP archive or a workbook',
      'PK\u0003\u0004rest',
      'This is a ZIP archive or an Excel workbook. Export the data as CSV and try again.',
    ],
    [
      'is compressed',
      Buffer.from([0x1f, 0x8b, 8, 1]),
      'This is a compressed file. Export the data as CSV and try again.',
    ],
    ['is binary', 'a,b\n\u0000\u0001\u0002', 'This is not a text file. Export it as CSV and try again.'],
    ['never closes a quote', 'a,b\n1,2\n3,"4\n5,6\n', 'Line 3: a quote is never closed.'],
    [
      'has a quote in a cell',
      'a,b\n1,2 "inch" x\n',
      'Line 2: a quote is in the middle of a cell. Put the whole cell in quotes, and write each quote inside twice.',
    ],
    [
      'has text after a quote',
      'a,b\n1,"2"x\n',
      'Line 2: text follows a closing quote. Write each quote inside a cell twice.',
    ],
    ['has 10,000 columns', 'a,'.repeat(10_000), 'Line 1 has 10,001 columns. A file may have at most 500.'],
    [
      'has an endless line',
      `a,b\n1,${'x'.repeat(3_000_000)}`,
      'Line 2: this row is longer than 1,000,000 characters. A quote may never be closed.',
    ],
  ])('that %s says so', async (_name, content, text) => {
    await expect(read(content)).rejects.toThrow(text)
  })
})
