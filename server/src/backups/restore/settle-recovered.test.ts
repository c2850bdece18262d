import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { expect, it } from 'vitest'
import { copyTemplate, startTestServer } from '#platform/testing/testing.ts'
import { query } from '../backups.testing.ts'
import { settleRecovered } from './settle-recovered.ts'

it('ends sessions and holds back messages of a recovered database, once nobody uses it', async () => {
  const database = await copyTemplate()
  try {
    const before = await startTestServer({ database })
    const now = before.clock.now()
    const { token } = await before.signIn(['access.manage'])
    await query(
      database.url,
      `insert into outbox (channel, key, payload, next_try_at, created_at)
        values ('mail', 'm1', '\\x00', now() + interval '1 day', now()), ('job', 'j1', '\\x00', now() + interval '1 day', now())`,
    )
    await expect(settleRecovered(database.url, now)).rejects.toThrow('other connections use this database')
    await before.running.close()
    // A pooler keeps connections that nobody uses.
    if (process.env.LIMBER_TEST_POOLER)
      await query(
        database.url,
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    expect(await settleRecovered(database.url, now)).toEqual({ ended: 1, held: 1 })

    const after = await startTestServer({ database })
    const reply = await fetch(after.url + checkSession.path, { headers: { cookie: `sid=${token}` } })
    expect(reply.status).toBe(401)
    expect(await query(database.url, 'select key, state from outbox order by key')).toEqual([
      { key: 'j1', state: 'waiting' },
      { key: 'm1', state: 'dead' },
    ])
    expect(await query(database.url, `select call from audit_log where action = 'backup_restored'`)).toEqual([
      { call: 'limber recovered' },
    ])
    await after.running.close()
  } finally {
    await database.drop()
  }
})
