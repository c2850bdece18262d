import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { BadJson, parseStrictJson } from './json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

describe('parseStrictJson', () => {
  it('parses everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        const isAllowed = !/"(__proto__|constructor|prototype)"|\\u0000|\\ud[89a-f]|\d{16}/i.test(text)
        fc.pre(isAllowed)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })
  it('never throws anything but BadJson', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', '-', 'e', ' ', 'a', 'n', 'u', 'l', '0'),
        }),
        (text) => {
          try {
            parse(text)
          } catch (error) {
            expect(error).toBeInstanceOf(BadJson)
          }
        },
      ),
      { numRuns: rounds(500, 2000) },
    )
  })
  it('parses a 10 MB string', () => {
    expect(parse(JSON.stringify({ list: 'a@example.com\n'.repeat(700_000) }))).toHaveProperty('list')
  })
  it.each(['{"a":1,"a":2}', '{"a":{"b":1,"b":2}}', '[{"a":1},{"a":1,"a":1}]'])(
    'finds the repeated key in %s',
    (text) => {
      expect(() => parse(text)).toThrow('appears twice')
    },
  )
  it.each([
    ['NUL', '"a\\u0000"'],
    ['half a character', '{"\\ud800":1}'],
    ['half a character in a value', '["a", {"b": "\\ud800"}]'],
    ['NUL as it is', '"a\0"'],
    ['half a character in a value', '["a", {"b": "\\ud800"}]'],
    ['NUL as it is', '"a\0"'],
  ])('rejects %s, which cannot be stored', (_, text) => {
    expect(() => parseStrictJson(Buffer.from(text))).toThrow(BadJson)
  })
  it('accepts the same key in different objects', () => {
    expect(parse('[{"a":1},{"a":{"a":"a"}}]')).toEqual([{ a: 1 }, { a: { a: 'a' } }])
  })
})
