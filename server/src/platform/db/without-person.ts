import type { Field } from '@limber/contract/kit/fields.ts'
import { type RawBuilder, sql } from 'kysely'

/** Assignments that take the personal fields of a record away; `email` where it cannot be nothing. */
export const withoutPerson = (fields: readonly Field[], email?: RawBuilder<unknown>) =>
  sql.join(
    fields
      .filter(({ isPersonal }) => isPersonal)
      .map(({ name, erased = null }) => sql`${sql.ref(name)} = ${name === 'email' && email ? email : erased}`),
  )
