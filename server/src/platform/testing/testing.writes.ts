import { type Kysely, sql } from 'kysely'

const KINDS = { insert: 'new', update: 'new', delete: 'old' } as const

/** Records which tables committed transactions write to. */
export async function watchWrites<T>(db: Kysely<T>) {
  await sql`create table seen_writes (id bigint generated always as identity primary key, name text not null)`.execute(
    db,
  )
  // A statement without affected rows wrote nothing.
  await sql`
    create function note_write() returns trigger language plpgsql security definer as $$ begin
      insert into public.seen_writes (name) select tg_table_name || ' ' || lower(tg_op) from rows_written limit 1;
      return null;
    end $$`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'seen_writes'`.execute(
    db,
  )
  for (const { name } of rows) {
    for (const [kind, rows] of Object.entries(KINDS)) {
      await sql`
        create trigger ${sql.ref(`watch_${kind}`)} after ${sql.raw(kind)} on ${sql.table(name)}
        referencing ${sql.raw(rows)} table as rows_written
        for each statement execute function note_write()`.execute(db)
    }
  }
  return {
    clear: () => sql`delete from seen_writes`.execute(db),
    /** Distinct entries such as `tickets update`. */
    written: async () => {
      const found = await sql<{ name: string }>`select distinct name from seen_writes order by name`.execute(db)
      return found.rows.map(({ name }) => name)
    },
  }
}
