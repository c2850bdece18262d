import type { PermissionName } from '@limber/contract/access/permissions.ts'
import { confirmBackupKey, readBackupKey, revealBackupKey } from '@limber/contract/company/backup-key.ts'
import { updateCompany } from '@limber/contract/company/company.ts'
import { changeSetup, readSetup, type StepId } from '@limber/contract/company/setup.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApiKey } from '#access/api-keys/api-key.factory.ts'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'

const BACKUP_KEY = 'backup-key-0123456789-abcdefghijklmnop'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { BACKUP_KEY } })
  owner = server.asOwner({ isSteppedUp: true, name: 'Olga Reyes' })
})
afterAll(() => server.stop())

const read = async (by: TestCaller = owner) => (await by.send(readSetup)).body
const step = async (id: StepId, by?: TestCaller) => (await read(by)).steps.find((one) => one.id === id)
const all = ['company', 'mail', 'backup-key', 'zone', 'colleague', 'api-key', 'customers', 'payroll', 'texts', 'ads']

describe('the setup guide', () => {
  it('lists every step to an Owner, all of them open', async () => {
    const { steps, isHidden } = await read()
    expect([steps.map(({ id }) => id), isHidden]).toEqual([all, false])
    expect(new Set(steps.map(({ state }) => state))).toEqual(new Set(['open']))
  })

  it.each<[PermissionName[], StepId[]]>([
    [[], []],
    [['businesses.manage'], ['zone']],
    [['access.manage'], ['colleague', 'api-key', 'customers']],
    [['payroll.settings'], ['payroll']],
  ])('lists to holders of %j only %j', async (permissions, ids) => {
    const caller = server.as('worker.tab', ...permissions)
    expect((await read(caller)).steps.map(({ id }) => id)).toEqual(ids)
  })

  it('reads the state of each step from data, and back', async () => {
    const zone = await makeZone(server.db, { name: 'Long Beach' })
    expect(await step('zone')).toEqual({ id: 'zone', state: 'done', name: 'Long Beach' })
    await server.db.deleteFrom('zones').where('id', '=', zone.id).execute()
    expect(await step('zone')).toMatchObject({ state: 'open' })

    await server.db.updateTable('workers').set({ status: 'disabled' }).where('name', '<>', 'Olga Reyes').execute()
    const invited = await makeWorker(server.db, { name: 'Rafael Ortega', status: 'invited' })
    expect(await step('colleague')).toMatchObject({ state: 'started', name: 'Rafael Ortega' })
    await server.db
      .updateTable('workers')
      .set({ status: 'active', onboarded_at: server.clock.now() })
      .where('id', '=', invited.id)
      .execute()
    expect(await step('colleague')).toMatchObject({ state: 'done' })

    const key = await makeApiKey(server.db, { name: 'Customer app' })
    expect(await step('api-key')).toMatchObject({ state: 'started', name: 'Customer app', usedAt: null })
    await server.db.updateTable('api_keys').set({ last_used_at: server.clock.now() }).where('id', '=', key.id).execute()
    expect(await step('api-key')).toMatchObject({ state: 'done', usedAt: server.clock.now().toISOString() })

    await makeCustomer(server.db)
    expect(await step('customers')).toMatchObject({ state: 'done' })
  })

  it('follows the company profile and the start of payroll', async () => {
    await owner.send(updateCompany, {
      body: {
        ...{ name: 'Coastline Stretch', legal_name: '', address_line: '', city: '', state: '', postal_code: '' },
        ...{ phone: '', reply_to: '', time_zone: 'America/Los_Angeles', week_starts_on: 'sunday', version: 0 },
      },
    })
    expect(await step('company')).toMatchObject({ state: 'done', name: 'Coastline Stretch' })
    const { version } = (await owner.send(readSettings)).body as unknown as { version: number }
    const body = { starts_on: '2026-12-01', version }
    const saved = await owner.send(changeSettings, { body: body as never })
    expect(saved.status, saved.text).toBe(200)
    expect(await step('payroll')).toEqual({ id: 'payroll', state: 'done', startsOn: '2026-12-01' })
  })

  it('is hidden for everyone by an Owner, and brought back, both with an audit row', async () => {
    expect((await owner.send(changeSetup, { body: { isHidden: true } })).body).toEqual({ isHidden: true })
    expect(await read()).toMatchObject({ isHidden: true, steps: [] })
    expect(await read(server.as('worker.tab', 'businesses.manage'))).toMatchObject({ isHidden: true, steps: [] })
    await owner.send(changeSetup, { body: { isHidden: true } })
    await owner.send(changeSetup, { body: { isHidden: false } })
    expect((await read()).steps.length).toBe(all.length)
    const rows = await server.db.selectFrom('audit_log').select('action').where('action', 'like', 'setup%').execute()
    expect(rows.map(({ action }) => action)).toEqual(['setup_guide_hidden', 'setup_guide_shown'])
    const refused = await server.as('access.manage').send(changeSetup, { body: { isHidden: true } })
    expect(refused.failure.code).toBe('not_owner')
  })
})

describe('the backup key', () => {
  it('is shown to an Owner with step-up, with an audit row that does not contain it', async () => {
    const { keyId } = (await owner.send(readBackupKey)).body
    const shown = await owner.send(revealBackupKey, { body: {} })
    expect(shown.body).toEqual({ keyId, key: BACKUP_KEY })
    const rows = await server.db.selectFrom('audit_log').selectAll().where('action', '=', 'backup_key_shown').execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(BACKUP_KEY)
    const kept = await server.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(BACKUP_KEY)
    expect((await server.asOwner().send(revealBackupKey, { body: {} })).failure.code).toBe('step_up_required')
    const manager = server.asSteppedUp('access.manage')
    expect((await manager.send(revealBackupKey, { body: {} })).failure.code).toBe('not_owner')
    expect((await manager.send(confirmBackupKey, { body: { keyId: keyId ?? '' } })).failure.code).toBe('not_owner')
  })

  it('counts as kept once confirmed, for this key only', async () => {
    const { keyId } = (await owner.send(readBackupKey)).body
    expect(await step('backup-key')).toMatchObject({ state: 'open', isSetUp: true })
    expect((await owner.send(confirmBackupKey, { body: { keyId: 'other' } })).failure.code).toBe('other_key')
    const confirmed = await owner.send(confirmBackupKey, { body: { keyId: keyId ?? '' } })
    expect(confirmed.body).toEqual({ keyId, kept: { at: server.clock.now().toISOString(), by: 'Olga Reyes' } })
    expect(await step('backup-key')).toMatchObject({ state: 'done', keptBy: 'Olga Reyes' })
    const { url } = { url: server.running.services.config.databaseUrl }
    const database = { url, drop: async () => {} }
    const rotated = await startTestServer({ env: { BACKUP_KEY: `${BACKUP_KEY}-new` }, database })
    try {
      const boss = rotated.asOwner({ isSteppedUp: true })
      expect(await step('backup-key', boss)).toMatchObject({ state: 'open' })
      expect((await boss.send(readBackupKey)).body.kept).toBeNull()
    } finally {
      await rotated.stop()
    }
  })

  it('cannot be shown without one', async () => {
    const bare = await startTestServer()
    try {
      const boss = bare.asOwner({ isSteppedUp: true })
      expect((await boss.send(readBackupKey)).body).toEqual({ keyId: null, kept: null })
      expect((await boss.send(revealBackupKey, { body: {} })).failure.code).toBe('not_set_up')
      expect(await step('backup-key', boss)).toMatchObject({ state: 'open', isSetUp: false })
    } finally {
      await bare.stop()
    }
  })
})
