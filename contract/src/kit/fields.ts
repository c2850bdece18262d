import type { z } from 'zod'

/**
 * One editable field of a record. Call bodies, forms, conflict dialogs, audit rows, merges and erasure all derive from a
 * record's list of fields.
 */
export interface Field<Name extends string = string> {
  readonly name: Name
  readonly label: string
  /** The schema in requests, when all calls share it. */
  readonly schema?: z.ZodType
  /** How to format the value. Default: as is. */
  readonly kind?: 'phone' | 'day' | 'flag'
  /** The label of each choice. */
  readonly choiceLabels?: Readonly<Record<string, string>>
  /** Identifies a person. The audit log records that it changed but not its value, and erasure clears it. */
  readonly isPersonal?: true
  /** The value after erasure. Default: null. */
  readonly erased?: string
}

export const namesOf = <N extends string>(fields: readonly Field<N>[]): N[] => fields.map(({ name }) => name)

/** The names of the personal fields. */
export const personalOf = <N extends string>(fields: readonly Field<N>[]): N[] =>
  namesOf(fields.filter(({ isPersonal }) => isPersonal))

/** Labels by field name. */
export const labelsOf = <N extends string>(fields: readonly Field<N>[]) =>
  Object.fromEntries(fields.map(({ name, label }) => [name, label])) as Record<N, string>

/** The schemas as the shape of a Zod object. */
export const shapeOf = <const F extends readonly (Field & { schema: z.ZodType })[]>(fields: F) =>
  Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) as {
    [One in F[number] as One['name']]: One['schema']
  }

/** Only the listed fields of a record. */
export const pickFields = <N extends string, R extends Record<N, unknown>>(fields: readonly Field<N>[], record: R) =>
  Object.fromEntries(fields.map(({ name }) => [name, record[name]])) as Pick<R, N>
