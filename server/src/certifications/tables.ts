import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
/** JSON goes in as text, so that an array is never taken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>

/** The public half of a signing key, as the world sees it but for its key id. */
export interface PublicHalf {
  kty: 'RSA'
  n: string
  e: string
}

declare module '#platform/db/db.ts' {
  interface Tables {
    certification_types: {
      id: Fixed<number>
      name: string
      description: Generated<string>
      valid_months: number | null
      is_required: Generated<boolean>
      retired_at: Date | null
      version: Generated<number>
      created_at: Date
    }
    certifications: {
      id: Fixed<number>
      short_id: string
      customer_id: number
      type_id: number
      name: string
      instructor: string
      /** Calendar days, `YYYY-MM-DD`. */
      issued_on: string
      valid_until: string | null
      revoked_at: Date | null
      revoke_reason: string | null
      revoked_by: number | null
      first_opened_at: Date | null
      issued_by: number | null
      version: Generated<number>
      created_at: Date
      search_text: Fixed<string>
    }
    signing_keys: {
      id: Fixed<number>
      key_id: string
      public_jwk: Json<PublicHalf>
      private_sealed: Buffer
      created_at: Date
      retired_at: Date | null
    }
  }
}
