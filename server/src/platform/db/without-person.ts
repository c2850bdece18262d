import type { Field } from '@limber/contract/kit/fields.ts'
import { type RawBuilder, sql } from 'kysely'

/** Assignments that clear the personal fields of a record. `email` replaces an address that cannot be null. */
export const withoutPerson = (fields: readonly Field[], email?: RawBuilder<unknown>) =>
  sql.join(
    fields
      .filter(({ isPersonal }) => isPersonal)
      .map(({ name, erased = null }) => sql`${sql.ref(name)} = ${name === 'email' && email ? email : erased}`),
  )
