import type { Field } from '@limber/contract/kit/fields.ts'
import { expect, it } from 'vitest'
import { fieldFormatters } from './field-formatters.ts'

const textOf = (field: Partial<Field>, value: unknown) => {
  const [formatter] = fieldFormatters([{ name: 'one', label: 'One', ...field }], { blank: '--' })
  return formatter?.[1]({ one: value })
}

it.each<[Partial<Field>, unknown, string]>([
  [{}, 'Robin', 'Robin'],
  [{}, 0, '0'],
  [{}, null, '--'],
  [{}, [], '--'],
  [{}, ['a', 'b'], 'a, b'],
  [{ choiceLabels: { manual: 'Entered by hand' } }, 'manual', 'Entered by hand'],
  [{ kind: 'phone' }, '+19515550142', '(951) 555-0142'],
  [{ kind: 'phone' }, undefined, '--'],
  [{ kind: 'day' }, '', '--'],
  [{ kind: 'flag' }, true, 'Yes'],
  [{ kind: 'flag' }, false, 'No'],
])('%j: %j reads %s', (field, value, text) => {
  expect(textOf(field, value)).toBe(text)
})

it("uses the caller's format", () => {
  const fields = [{ name: 'zone_id', label: 'Zone' }] as const
  const [formatter] = fieldFormatters(fields, {
    shown: { zone_id: (id?: number) => (id === 3 ? 'Riverside' : 'No zone') },
  })
  expect([formatter?.[0], formatter?.[1]({ zone_id: 3 }), formatter?.[1]({})]).toEqual(['Zone', 'Riverside', 'No zone'])
})
