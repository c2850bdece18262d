import { csvCell, csvLine } from '@limber/contract/kit/csv.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** A line as a spreadsheet reads it that splits at this sign; a quote counts only where a cell begins. */
function readLine(line: string, sign: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? ''
    if (isQuoted && char === '"' && line[i + 1] === '"') cell += line[i++]
    else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && (char === sign || char === '\n')) {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  return cells
}

// Bare signs run nothing; what runs has something behind it.
const runs = /^([=@＝＠].|[+\-＋－](?![\d.]*\s*$)\S)/

describe('a cell of CSV', () => {
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

describe('a line of CSV', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab1 =+-@;,\t"\n\r\'＝＋') })

  it('holds each text in one cell, changed by nothing but the marks that disarm it', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const read = readLine(csvLine(texts).replace(/\r\n$/, '\n'), ',')
        expect(read.map((cell) => cell.replaceAll("'", ''))).toEqual(texts.map((cell) => cell.replaceAll("'", '')))
      }),
    )
  })

  it.each([',', ';', '\t'])('runs nothing where cells are split at %o', (sign) => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const line = csvLine([7, one, other])
        for (const cell of readLine(line, sign).slice(1)) expect(cell).not.toMatch(runs)
      }),
      { numRuns: 2_000 },
    )
  })
})
