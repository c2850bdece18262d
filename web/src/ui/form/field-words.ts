import type { Field } from '@limber/contract/kit/fields.ts'
import { numberText } from '../format/number-text.ts'

type Words<N extends string> = readonly [label: string, text: (record: Partial<Record<N, unknown>>) => string]

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

function textOf({ kind, words }: Field, value: unknown): string {
  const text = String(value)
  if (kind === 'phone') return numberText(text)
  return words?.[text] ?? text
}

/** The fields of a record in words: label and text. `shown` writes what the value alone does not tell. */
export const fieldWords = <N extends string>(
  fields: readonly Field<N>[],
  { blank = '', shown = {} }: { blank?: string; shown?: { [One in N]?: (value: never) => string } } = {},
): Words<N>[] =>
  fields.map((field) => [
    field.label,
    (record) => {
      const value = record[field.name]
      const show = shown[field.name]
      if (show) return show(value as never)
      return isBlank(value) ? blank : textOf(field, value)
    },
  ])
