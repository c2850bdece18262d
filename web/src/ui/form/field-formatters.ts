import type { Field } from '@limber/contract/kit/fields.ts'
import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { dayText } from '../format/day-text.ts'

type FieldFormatter<N extends string> = readonly [label: string, text: (record: Partial<Record<N, unknown>>) => string]

/** Declared as a method (bivariant), so that each formatter can name the type of its own value. */
type Show = { show(value: unknown): string }['show']

function textOf({ kind, choiceLabels }: Field, value: unknown): string {
  if (kind === 'flag') return value ? 'Yes' : 'No'
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  if (text === '' || kind === undefined) return choiceLabels?.[text] ?? text
  return kind === 'phone' ? formatPhone(text) : dayText(text)
}

/** Label and formatter for each field of a record. `shown` overrides the default format. */
export const fieldFormatters = <N extends string>(
  fields: readonly Field<N>[],
  { blank = '', shown = {} }: { blank?: string; shown?: { [One in N]?: Show } } = {},
): FieldFormatter<N>[] =>
  fields.map((field) => [
    field.label,
    (record) => {
      const value = record[field.name]
      return shown[field.name]?.(value) ?? (textOf(field, value) || blank)
    },
  ])
