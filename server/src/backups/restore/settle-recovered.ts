import { endRestoredSessions } from '#access/public.ts'
import { auditRestore, prepareRestored } from '#platform/db/prepare-restored.ts'
import { BackupError } from '../archive/backup-keys.ts'
import { withLongConnection } from './connection.queries.ts'
import { countOtherSessions, takeRestoreLock } from './restore.queries.ts'

const WHY = 'The database went back to an earlier moment.'

/**
 * Settles a database that PostgreSQL itself took back to an earlier moment, before anybody comes in: all sessions end,
 * and messages that waited then are held back, because they may have been sent since.
 */
export const settleRecovered = (databaseUrl: string, now: Date) =>
  withLongConnection(databaseUrl, async (client) => {
    await takeRestoreLock(client)
    const others = await countOtherSessions(client)
    if (others > 0)
      throw new BackupError(
        `${others} other connections use this database. Stop all processes of Limber and other programs first.`,
      )
    await client.query('begin')
    try {
      const ended = await endRestoredSessions(client, WHY, now)
      const { held } = await prepareRestored(client, WHY, now)
      await auditRestore(client, 'limber recovered', { ended, held }, now)
      await client.query('commit')
      return { ended, held }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
