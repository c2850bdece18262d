import type pg from 'pg'

/*
 * A restore marks its database before it begins, and takes the mark off in the transaction that brings everything. A
 * database that still has the mark is empty or nothing that anybody may work on. The mark stands in a schema of its own:
 * it is no part of the product's schema, nor of a backup.
 */
export const MARK_SCHEMA = 'limber_restore'

export async function markRestore(client: pg.ClientBase, file: string) {
  await client.query(`create schema if not exists ${MARK_SCHEMA}`)
  await client.query(`create table if not exists ${MARK_SCHEMA}.under_way (file text not null)`)
  await client.query(`delete from ${MARK_SCHEMA}.under_way`)
  await client.query(`insert into ${MARK_SCHEMA}.under_way values ($1)`, [file])
}

export const unmarkRestore = (client: pg.ClientBase) => client.query(`drop schema if exists ${MARK_SCHEMA} cascade`)

/** Throws, in words for an operator, when a restore into this database did not come to its end. */
export async function rejectUnfinishedRestore(client: pg.ClientBase) {
  const { rows } = await client.query<{ marked: boolean }>(
    `select to_regclass('${MARK_SCHEMA}.under_way') is not null as marked`,
  )
  if (!rows[0]?.marked) return
  const found = await client.query<{ file: string }>(`select file from ${MARK_SCHEMA}.under_way`)
  const file = found.rows[0]?.file ?? 'FILE'
  throw new Error(
    `A restore of ${file} into this database is in progress or did not finish. Wait for it, or run it again: npm run limber -- restore ${file}`,
  )
}
