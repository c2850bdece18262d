import { describe, expect, it } from 'vitest'
import { splitPersonal, textWithoutPeople } from './audit-person.ts'

const jane = { first_name: 'Mary Jane', last_name: "O'Neil-Park", email: 'mj@example.com', phone: '+19515550142' }

describe('the reason of an audit row', () => {
  it.each([
    ['Mary asked by phone', '••• asked by phone'],
    ["JANE o'neil called", '••• ••• called'],
    ['park the case, parking is free', '••• the case, parking is free'],
    ['wrote from mj@example.com and from other@example.org', 'wrote from ••• and from •••'],
    ['call (951) 555-0142 or 951.555.0142 or +1 951 555 0142', 'call ••• or ••• or •••'],
    ['since 2026-11-12, order 4711', 'since 2026-11-12, order 4711'],
    ["$& $' $1", "$& $' $1"],
  ])('%s', (text, kept) => {
    expect(textWithoutPeople(text, [jane])).toBe(kept)
  })

  it('stays unchanged when it mentions no person', () => {
    expect(textWithoutPeople('Entered twice', [])).toBe('Entered twice')
  })

  it('is processed quickly even when the text is hostile', () => {
    const hostile = `${'a'.repeat(20_000)}@ ${'+1 ('.repeat(5_000)}`
    expect(textWithoutPeople(hostile, [jane])).toHaveLength(hostile.length)
  })
})

describe('the values of an audit row', () => {
  it('record which personal field changed, but not its value', () => {
    const before = { first_name: 'Mary', email: 'mj@example.com', source: 'manual' }
    const after = { first_name: 'Marie', email: 'mj@example.com', source: 'website' }
    expect(splitPersonal({ subject: 'lead', before, after })).toEqual({
      before: { source: 'manual' },
      after: { source: 'website', changed: ['first_name'] },
      kept: { before: { first_name: 'Mary' }, after: { first_name: 'Marie' } },
    })
  })

  it('stay unchanged for records without personal data', () => {
    const values = { before: { name: 'North' }, after: { name: 'South' } }
    expect(splitPersonal({ subject: 'zone', ...values })).toEqual(values)
  })
})
