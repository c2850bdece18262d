import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { Input, Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

/** An import with rows that can be created. */
export async function makeImportIn(db: Db, state: string, rows = 1): Promise<number> {
  const profile = [{ header: 'Email', filled: rows, dates: null }]
  const { rows: made } = await sql<{ id: number }>`
    insert into imports (resource, source, state, file_name, file_key, file_bytes, file_digest, encoding, delimiter,
      row_count, profile, counts, created_at, checked_at, undo_until)
    select 'customers', 'import', ${state}::text, 'people.csv', 'imports/' || gen_random_uuid() || '.csv', 100,
      gen_random_uuid(), 'utf-8', ',', ${rows}, ${JSON.stringify(profile)}::jsonb, '{"created": 1}', now(), now(),
      case when ${state}::text = 'applied' then '2099-01-01'::timestamptz end
    returning id`.execute(db)
  const id = made[0]?.id ?? 0
  await sql`insert into import_rows (import_id, line, state)
    select ${id}, n + 1, 'create' from generate_series(1, ${rows}::int) n`.execute(db)
  return id
}

export function importsInputs({ db, to, fresh }: InputTools): Inputs {
  const importIn = (state: string, body?: object) => async (): Promise<Input> => ({
    params: { id: String(await makeImportIn(db, state)) },
    ...(body && { body }),
  })
  return {
    'POST /api/imports/:id/check': importIn('uploaded', { columns: { Email: 'email' } }),
    'POST /api/imports/:id/apply': importIn('checked', {}),
    'POST /api/imports/:id/cancel': importIn('checking'),
    'POST /api/imports/:id/undo': importIn('applied'),
    'DELETE /api/imports/:id': importIn('uploaded'),
    'POST /api/import-maps': async () => ({
      body: { resource: 'leads', name: fresh('Map '), columns: { Mail: 'email' } },
    }),
    'DELETE /api/import-maps/:id': to(sql`select id from import_maps order by id desc`),
  }
}
