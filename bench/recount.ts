import type pg from 'pg'

/** Sets the counts that triggers maintain, after rows were written without triggers. */
export async function recountAll(data: pg.Client): Promise<void> {
  const { rows } = await data.query<{ counted: string; columns: string }>(
    `select substr(proname, 11) as counted, array_to_string(proargnames[1:pronargs], ', ') as columns
     from pg_proc where proname like 'counts\\_of\\_%' and pronamespace = 'public'::regnamespace`,
  )
  await data.query('truncate kept_counts')
  for (const { counted, columns } of rows) await data.query('select recount($1, $2)', [counted, columns])
}
