import { csvCell, csvLine, textOfCell } from '@limber/contract/kit/csv.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'

/** Parses a line like a spreadsheet that splits at this separator. Quotes count only at the start of a cell. */
function readLine(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? ''
    if (isQuoted && char === '"' && line[i + 1] === '"') cell += line[i++]
    else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && (char === separator || char === '\n')) {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  return cells
}

// A bare sign is harmless; a formula has more characters.
const runs = /^([=@＝＠].|[+\-＋－](?![\d.]*\s*$)\S)/

describe('a CSV cell', () => {
  it.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['a; b', '"a; b"'],
    ['a\tb', '"a\tb"'],
    ['a "b"', '"a ""b"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['=1+1', "'=1+1"],
    ['@sum(a1)', "'@sum(a1)"],
    ['＝1+1', "'＝1+1"],
    ['-12.50', '-12.50'],
    ['-cmd|x', "'-cmd|x"],
    ['a;=1+1', `"a;'=1+1"`],
    ['a\t@x', `"a\t'@x"`],
    ['list:\n- first\n-cmd', `"list:\n- first\n'-cmd"`],
    ["$& $' $1;=x", `"$& $' $1;'=x"`],
  ])('%o is written %s', (value, written) => expect(csvCell(value)).toBe(written))

  it.each([
    [null, ''],
    [undefined, ''],
    [-3, '-3'],
    [12n, '12'],
    [true, 'true'],
  ])('%o is written as it is', (value, written) => expect(csvCell(value)).toBe(written))
})

describe('a CSV line', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab1 =+-@;,\t"\n\r\'＝＋') })

  it('keeps each text in one cell and only adds escapes', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const read = readLine(csvLine(texts).replace(/\r\n$/, '\n'), ',')
        expect(read.map((cell) => cell.replaceAll("'", ''))).toEqual(texts.map((cell) => cell.replaceAll("'", '')))
      }),
    )
  })

  it.each([',', ';', '\t'])('contains no formula when split at %o', (separator) => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const line = csvLine([7, one, other])
        for (const cell of readLine(line, separator).slice(1)) expect(cell).not.toMatch(runs)
      }),
      { numRuns: rounds(500, 2000) },
    )
  })
})

const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

it('what is read is what was written, whatever it begins with', () => {
  const sign = fc.constantFrom(...`'"=+-@;\t\r\n 5a`, '\uff1d', '\uff0d')
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const text = signs.join('')
      expect(textOfCell(unquoted(csvCell(text)))).toBe(text)
    }),
    { numRuns: rounds(500, 3000) },
  )
})
