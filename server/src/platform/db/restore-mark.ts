import type pg from 'pg'

/*
 * A restore marks its database before it starts and removes the mark in the transaction that loads the data. A database
 * with the mark must not be used. The mark is in its own schema, so it is neither part of the product's schema nor of a
 * backup.
 */
export const MARK_SCHEMA = 'limber_restore'

export async function markRestore(client: pg.ClientBase, file: string) {
  await client.query(`create schema if not exists ${MARK_SCHEMA}`)
  await client.query(`create table if not exists ${MARK_SCHEMA}.under_way (file text not null)`)
  await client.query(`delete from ${MARK_SCHEMA}.under_way`)
  await client.query(`insert into ${MARK_SCHEMA}.under_way values ($1)`, [file])
}

export const unmarkRestore = (client: pg.ClientBase) => client.query(`drop schema if exists ${MARK_SCHEMA} cascade`)

/** Throws when a restore into this database has not finished. */
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
