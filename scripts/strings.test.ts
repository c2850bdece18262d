import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allStrings, asCsv, STRINGS_FILE, stringsOf } from './strings.ts'

const found = (file: string, source: string) => stringsOf(file, source).map(({ kind, text }) => `${kind}: ${text}`)

describe('the list of user-facing strings', () => {
  it('is up to date (if not, run: npm run strings -- --write)', { timeout: 60_000 }, () => {
    expect(readFileSync(STRINGS_FILE, 'utf8')).toBe(asCsv(allStrings()))
  })

  it.each([
    ['<p className="Big one">Ends on {day}. <b>Now</b></p>', ['text: Ends on {day}. {…}', 'text: Now']],
    ['<Field label="name" placeholder={`For ${x}`} type="text" />', ['label: name', 'placeholder: For {x}']],
    [
      "toast('Saved.', { detail: isNew ? 'It is new.' : `${n} rows` })",
      ['toast: Saved.', 'detail: It is new.', 'detail: {n} rows'],
    ],
    ["const x = sql`select A from B`; throw new Error('Never seen')", []],
    ["import { A } from 'Some Thing'; type T = 'Some Words'", []],
  ])('finds the user-facing text of %s', (source, texts) => {
    const statement = source.startsWith('<') ? `export const X = () => ${source}` : source
    expect(found('web/src/x.tsx', statement)).toEqual(texts)
  })

  it('finds refusals, CLI lines, emails, and CSV headers', () => {
    expect(
      found('contract/src/x.ts', "const c = { summary: 'All', refusals: { gone: [404, 'It is gone.'] } }"),
    ).toEqual(['summary: All', 'refusal: It is gone.'])
    expect(found('server/src/cli/x.ts', "throw new Error('There is no such worker.')")).toEqual([
      'command line: There is no such worker.',
    ])
    expect(found('server/src/a/x.mails.ts', 'const text = `Hello ${name},`')).toEqual(['mail: Hello {name},'])
    expect(found('server/src/a/x.present.ts', "export const rowColumns = ['id', 'By']")).toEqual([
      'column: id',
      'column: By',
    ])
  })
})
