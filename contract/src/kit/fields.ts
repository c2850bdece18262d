import type { z } from 'zod'

/**
 * One field of a record that people edit. Call bodies, forms, conflict dialogs, audit rows, merges and erasure take their
 * parts from the record's list of these.
 */
export interface Field<Name extends string = string> {
  readonly name: Name
  readonly label: string
  /** What a request may hold, where all calls of the record agree on it. */
  readonly schema?: z.ZodType
  /** How a person reads the value; as it stands unless told. */
  readonly kind?: 'phone' | 'day' | 'flag'
  /** What a person reads for each choice. */
  readonly choiceLabels?: Readonly<Record<string, string>>
  /** Identifies a person: the audit log keeps that it changed, never its value, and erasing the person empties it. */
  readonly isPersonal?: true
  /** What stands there once the person is erased; nothing unless told. */
  readonly erased?: string
}

/** The names of a list of fields. */
export const namesOf = <N extends string>(fields: readonly Field<N>[]): N[] => fields.map(({ name }) => name)

/** The names of the personal ones. */
export const personalOf = <N extends string>(fields: readonly Field<N>[]): N[] =>
  namesOf(fields.filter(({ isPersonal }) => isPersonal))

/** The labels of a list of fields, by name. */
export const labelsOf = <N extends string>(fields: readonly Field<N>[]) =>
  Object.fromEntries(fields.map(({ name, label }) => [name, label])) as Record<N, string>

/** The schemas of a list of fields, as the shape of an object. */
export const shapeOf = <const F extends readonly (Field & { schema: z.ZodType })[]>(fields: F) =>
  Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) as {
    [One in F[number] as One['name']]: One['schema']
  }

/** The fields of a record, without what else it holds. */
export const pickFields = <N extends string, R extends Record<N, unknown>>(fields: readonly Field<N>[], record: R) =>
  Object.fromEntries(fields.map(({ name }) => [name, record[name]])) as Pick<R, N>
