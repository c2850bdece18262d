// @module-tag slow
import {
  exportAudit,
  listAudit,
  listAuditTerms,
  readAuditEntry,
  verifyAudit,
} from '@limber/contract/access/audit/audit.ts'
import { verifyOnboarding } from '@limber/contract/access/onboarding/onboarding.ts'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyDeviceAuth } from '@limber/contract/access/sign-in/sign-in.ts'
import {
  changePermissions,
  correctWorker,
  disableWorker,
  enableWorker,
  endWorkerSessions,
  inviteWorker,
  listWorkers,
  readWorker,
  resendLink,
  revokeLink,
} from '@limber/contract/access/workers/worker.ts'
import { openLive } from '@limber/contract/kit/meta.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainRows } from '#platform/audit/audit-chain.testing.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import {
  type Account,
  auditReason,
  type Browser,
  makeAccount,
  openBrowser,
  readCode,
  readMail,
  signedIn,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'
import { makeWorker } from './worker.factory.ts'

let server: TestServer
let manager: Account
let browser: Browser
beforeAll(async () => {
  server = await startAccessServer()
  manager = await makeAccount(server, { permissions: ['access.manage'] })
  browser = await signedIn(server, manager)
})
afterAll(() => server.stop())

const id = (worker: { id: number }) => ({ id: String(worker.id) })
const all = permissionNames.map(codeOf)
const change = (
  worker: { id: number },
  body: { role: string | null; permissions: string[]; version: number },
  from = browser,
) => from.send(changePermissions, { params: id(worker), body })
const makeOwner = () => makeWorker(server.db, { role: 'Owner' })
const demoteOwners = () => server.db.updateTable('workers').set({ role: null }).where('role', '=', 'Owner').execute()

describe('managing workers', () => {
  it('invites by email, and no reply contains the link', async () => {
    const body = { email: 'Ada@Example.com', name: 'Ada Quill', role: 'Finance' }
    const reply = await browser.send(inviteWorker, { body })
    expect(reply.body.worker).toMatchObject({
      email: 'ada@example.com',
      status: 'invited',
      link: 'open',
      role: 'Finance',
    })
    expect(reply.body.worker.permissions).toHaveLength(6)
    const text = (await readMail(server, 'ada@example.com', 'link')) ?? ''
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? 'none'
    expect(reply.text).not.toContain(token)
    const again = await browser.send(inviteWorker, { body })
    expect([again.status, again.failure.code]).toEqual([409, 'taken'])
  })

  it.each([
    ['an unknown role', { role: 'King' }],
    ['an unknown permission', { permissions: ['9999'] }],
    ['a name with a line break', { name: 'Ada\r\nBcc: all@example.com' }],
    ['a name that ends with one', { name: 'Ada\n' }],
    ['a name with a NUL', { name: 'A\u0000B' }],
    ['an extra key', { status: 'active' }],
  ])('refuses an invitation with %s', async (_title, wrong) => {
    const body = { email: 'x@example.com', name: 'X', ...wrong }
    expect((await browser.send(inviteWorker, { body: body as never })).status).toBe(400)
  })

  it('resends and revokes a link, but not for an active worker', async () => {
    const worker = await makeWorker(server.db, { status: 'invited' })
    const sent = await browser.send(resendLink, { params: id(worker), body: {} })
    expect(sent.body.worker.link).toBe('open')
    expect((await browser.send(revokeLink, { params: id(worker), body: {} })).body.worker.link).toBe('revoked')
    expect((await browser.send(revokeLink, { params: id(worker), body: {} })).status).toBe(409)
    expect((await browser.send(resendLink, { params: id(manager), body: {} })).failure.code).toBe('not_invited')
  })

  it('lists pages and searches names and emails, with % and _ taken literally', async () => {
    await makeWorker(server.db, { name: 'Percy 100% Under_score', email: 'percy@example.com' })
    const names = async (search: string) =>
      (await browser.send(listWorkers, { query: { search } })).body.workers.map((row) => row.name)
    expect(await names('100% under_')).toEqual(['Percy 100% Under_score'])
    expect(await names('%')).toEqual(['Percy 100% Under_score'])
    expect(await names('percy@')).toHaveLength(1)
    await makeWorker(server.db, { name: 'Fay Finance', role: 'Finance' })
    const { body: finance } = await browser.send(listWorkers, { query: { role: 'Finance', limit: '100' } })
    expect(finance.workers.map((row) => row.role)).toContain('Finance')
    expect(new Set(finance.workers.map((row) => row.role)).size).toBe(1)
    expect((await browser.send(listWorkers, { query: { role: 'Wizard' } })).status).toBe(400)
    const paged = await browser.send(listWorkers, { query: { limit: '1', page: '2' } })
    expect(paged.body.workers).toHaveLength(1)
    expect(paged.body.pagination.totalItems).toBeGreaterThan(2)
  })

  it("applies added permissions with the next request and updates the worker's open page", async () => {
    const worker = await makeAccount(server, { permissions: ['worker.tab'] })
    const theirs = await signedIn(server, worker)
    const page = await openPage(theirs)
    expect((await theirs.send(listWorkers)).status).toBe(403)
    const reply = await change(worker, { role: null, permissions: ['2', '97'], version: 1 })
    expect(reply.body.worker.permissions.map((each) => each.code)).toEqual(['2', '97'])
    expect(await page.hearOf('session')).toBe(true)
    await page.close()?.catch(() => {})
    expect((await theirs.send(checkSession)).body.worker.permissions).toEqual(['2', '97'])
    expect((await theirs.send(listWorkers)).status).toBe(200)
  })

  const correct = (worker: { id: number }, body: { name: string; email: string; version: number }, from = browser) =>
    from.send(correctWorker, { params: id(worker), body })

  it('changes name and email, notifies the old address, and signs in with the new one', async () => {
    const worker = await makeAccount(server)
    const old = worker.email
    const way = await signInUntil(server, worker, 'code_sent')
    const body = { name: 'Dana Quill', email: ' Dana.Quill@Example.com', version: 1 }
    const reply = await correct(worker, body)
    expect(reply.body.worker).toMatchObject({ name: 'Dana Quill', email: 'dana.quill@example.com', version: 2 })
    const notice = (await readMail(server, old, 'address-left')) ?? ''
    expect(notice).toContain('no longer sent to this address')
    expect(notice).not.toContain('quill@')
    expect(await readMail(server, 'dana.quill@example.com', 'address-taken')).toContain('from now on')
    const code = await readCode(server, old)
    const proven = await way.browser.send(verifyDeviceAuth, {
      body: { email: old, deviceId: way.deviceId, sessionToken: way.sessionToken, code },
    })
    expect([proven.status, await auditReason(server, proven)]).toEqual([401, 'dead'])
    const theirs = await signedIn(server, { ...worker, email: 'dana.quill@example.com' })
    expect((await theirs.send(checkSession)).body.worker).toMatchObject({ name: 'Dana Quill' })
    const query = { action: 'worker_corrected', subjectId: String(worker.id) }
    expect((await browser.send(listAudit, { query })).body.entries).toMatchObject([
      { before: { email: old }, after: { name: 'Dana Quill', email: 'dana.quill@example.com' } },
    ])
    expect((await correct(worker, body)).failure.code).toBe('stale')
  })

  it('sends a new link to the corrected email of an invited worker and revokes the old one', async () => {
    const sent = await browser.send(inviteWorker, { body: { email: 'typo@example.com', name: 'Ty Po' } })
    const wrong = /token=([\w-]+)/.exec((await readMail(server, 'typo@example.com', 'link')) ?? '')?.[1] ?? ''
    const { id: workerId, version } = sent.body.worker
    await correct({ id: workerId }, { name: 'Ty Po', email: 'ty.po@example.com', version })
    const right = /token=([\w-]+)/.exec((await readMail(server, 'ty.po@example.com', 'link')) ?? '')?.[1] ?? ''
    const look = async (token: string) => (await openBrowser(server).send(verifyOnboarding, { body: { token } })).status
    expect([await look(wrong), await look(right)]).toEqual([401, 200])
  })

  it("refuses a taken email, one's own account, and a change without step-up", async () => {
    const worker = await makeWorker(server.db)
    const body = { name: 'X', email: manager.email, version: 1 }
    const replies = [
      await correct(worker, body),
      await correct(manager, body),
      await correct(worker, { ...body, email: 'x.y@example.com' }, server.as('access.manage') as never),
      await correct({ id: 999_999 }, body),
    ]
    expect(replies.map(({ failure }) => failure.code)).toEqual([
      'taken',
      'own_account',
      'step_up_required',
      'not_found',
    ])
  })

  it('F15 ends all sessions of a worker who loses a permission, who can then sign in again', async () => {
    const worker = await makeAccount(server, { permissions: ['worker.tab', 'access.manage'] })
    const [here, there] = [await signedIn(server, worker), await signedIn(server, worker)]
    const page = await openPage(here)
    const reply = await change(worker, { role: null, permissions: ['2', '1'], version: 1 })
    expect(reply.body.worker).toMatchObject({ openSessions: 0, sessions: [] })
    expect(await page.hearOf('session')).toBe(true)
    await page.close()?.catch(() => {})
    expect([(await here.send(checkSession)).status, (await there.send(checkSession)).status]).toEqual([401, 401])
    const again = await signedIn(server, worker)
    expect((await again.send(checkSession)).body.worker.permissions).toEqual(['2', '1'])
    const [entry] = (await browser.send(listAudit, { query: { subjectId: String(worker.id), limit: '1' } })).body
      .entries
    expect(entry).toMatchObject({ action: 'permissions_changed', after: { ended: 2 } })
  })

  /** An open page that receives live updates. */
  async function openPage(from: Browser) {
    const cookie = [...from.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { body } = await fetch(server.url + openLive.path, { headers: { cookie } })
    const reader = body?.getReader()
    const hear = async () => Buffer.from((await reader?.read())?.value ?? []).toString()
    await hear()
    const hearOf = async (topic: string) => {
      for (let text = await hear(); text; text = await hear()) if (text.includes(`"topic":"${topic}"`)) return true
      return false
    }
    return { hearOf, close: () => reader?.cancel() }
  }

  it('J6 refuses a stale version and returns the current one', async () => {
    const worker = await makeWorker(server.db)
    await change(worker, { role: null, permissions: ['1'], version: 1 })
    const stale = await change(worker, { role: null, permissions: all, version: 1 })
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect(stale.failure.current).toMatchObject({ version: 2 })
  })

  it('Z6 lets no one change, disable or enable their own account', async () => {
    const replies = [
      await change(manager, { role: 'Owner', permissions: all, version: 1 }),
      await browser.send(disableWorker, { params: id(manager), body: {} }),
      await browser.send(enableWorker, { params: id(manager), body: {} }),
    ]
    expect(replies.map((reply) => [reply.status, reply.failure.code])).toEqual(Array(3).fill([403, 'own_account']))
  })

  it('J1 requires step-up', async () => {
    const worker = await makeWorker(server.db)
    const stale = server.as('access.manage')
    const replies = [
      await stale.send(changePermissions, { params: id(worker), body: { role: null, permissions: [], version: 1 } }),
      await stale.send(disableWorker, { params: id(worker), body: {} }),
      await stale.send(inviteWorker, { body: { email: 'y@example.com', name: 'Y' } }),
    ]
    expect(replies.map((reply) => reply.failure.code)).toEqual(Array(3).fill('step_up_required'))
  })

  it('gives an Owner every permission', async () => {
    const worker = await makeWorker(server.db)
    const reply = await change(worker, { role: 'Owner', permissions: ['1'], version: 1 })
    expect([reply.status, reply.failure.code]).toEqual([422, 'owner_holds_all'])
  })

  it('Z6 keeps the last Owner', async () => {
    await demoteOwners()
    const owner = await makeOwner()
    const lost = await change(owner, { role: null, permissions: [], version: 1 })
    const disabled = await browser.send(disableWorker, { params: id(owner), body: {} })
    expect([lost.failure.code, disabled.failure.code]).toEqual(['last_owner', 'last_owner'])
    expect((await browser.send(readWorker, { params: id(owner) })).body.worker).toMatchObject({
      isLastOwner: true,
      status: 'active',
    })
    await makeOwner()
    expect((await browser.send(disableWorker, { params: id(owner), body: {} })).status).toBe(200)
  })

  it('Z6 keeps one Owner when 48 parallel requests remove three', async () => {
    await demoteOwners()
    const owners = [await makeOwner(), await makeOwner(), await makeOwner()]
    await Promise.all(
      Array.from({ length: 48 }, (_, i) => owners[i % 3] ?? manager).map((owner, i) =>
        i % 2
          ? browser.send(disableWorker, { params: id(owner), body: {} })
          : change(owner, { role: null, permissions: [], version: 1 }),
      ),
    )
    const left = await server.db
      .selectFrom('workers')
      .select('id')
      .where('role', '=', 'Owner')
      .where('status', '=', 'active')
      .execute()
    expect(left).toHaveLength(1)
  })

  it('F14 ends sessions, browsers and links when disabling, and enabling does not restore them', async () => {
    const worker = await makeAccount(server)
    const theirs = await signedIn(server, worker)
    const off = await browser.send(disableWorker, { params: id(worker), body: { reason: 'On leave' } })
    expect(off.body.worker).toMatchObject({ status: 'disabled', openSessions: 0, devices: [] })
    expect((await theirs.send(checkSession)).status).toBe(401)
    expect((await browser.send(enableWorker, { params: id(worker), body: {} })).body.worker.status).toBe('active')
    expect((await theirs.send(checkSession)).status).toBe(401)
  })

  it('ends sessions of a worker', async () => {
    const worker = await makeAccount(server)
    const theirs = await signedIn(server, worker)
    expect((await browser.send(endWorkerSessions, { params: id(worker), body: {} })).body.worker.openSessions).toBe(0)
    expect((await theirs.send(checkSession)).status).toBe(401)
  })

  it('returns 404 for an unknown worker', async () => {
    expect((await browser.send(readWorker, { params: { id: '999999' } })).status).toBe(404)
    expect((await change({ id: 999_999 }, { role: null, permissions: [], version: 1 })).status).toBe(404)
  })
})

describe('the audit log', () => {
  it('records who changed what, before and after', async () => {
    const worker = await makeWorker(server.db, { permissions: ['analytics.view'] })
    await change(worker, { role: 'Finance', permissions: ['2'], version: 1 })
    const query = { action: 'permissions_changed', subject: 'worker', subjectId: String(worker.id) }
    const { entries } = (await browser.send(listAudit, { query })).body
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      worker: { id: manager.id, name: manager.name },
      outcome: 'done',
      before: { role: null, permissions: ['1'] },
      after: { role: 'Finance', permissions: ['2'] },
    })
  })

  it('serves each entry by its ID', async () => {
    const [first] = (await browser.send(listAudit, { query: { limit: '1' } })).body.entries
    const params = { id: String(first?.id) }
    expect((await browser.send(readAuditEntry, { params })).body.entry).toEqual(first)
    expect((await browser.send(readAuditEntry, { params: { id: '999999999' } })).status).toBe(404)
    const other = await signedIn(server, await makeAccount(server, { permissions: ['analytics.view'] }))
    expect((await other.send(readAuditEntry, { params })).status).toBe(403)
  })

  it('exports exactly the matching entries as CSV', async () => {
    const query = { action: 'permissions_changed' }
    const { text, headers } = await browser.send(exportAudit, { query })
    expect(headers.get('content-disposition')).toMatch(/"audit-log-\d{4}-\d\d-\d\d\.csv"/)
    const rows = await server.db
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'permissions_changed')
      .orderBy('id', 'desc')
      .execute()
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toContain('ID,Time,Worker ID,Worker,Other actor,Call,Action,Outcome')
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(rows.map(({ id: row }) => row))
    expect(lines[1]).toContain('"{""role"":')
    const other = await signedIn(server, await makeAccount(server, { permissions: ['analytics.view'] }))
    expect((await other.send(exportAudit, { query })).status).toBe(403)
  })

  it('pages without gaps or repeats and filters by worker, day and outcome', async () => {
    const seen: number[] = []
    let before: string | null = null
    do {
      const query = { limit: '7', ...(before && { before }) }
      const page: { entries: { id: number }[]; next: string | null } = (await browser.send(listAudit, { query })).body
      seen.push(...page.entries.map((row) => row.id))
      before = page.next
    } while (before)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe((await server.db.selectFrom('audit_log').select('id').execute()).length)
    const refusals = await browser.send(listAudit, { query: { outcome: 'refused', worker: String(manager.id) } })
    expect(refusals.body.entries.every((row) => row.outcome === 'refused' && row.worker?.id === manager.id)).toBe(true)
    const today = server.clock.now().toISOString().slice(0, 10)
    expect((await browser.send(listAudit, { query: { from: today, to: today } })).body.entries.length).toBeGreaterThan(
      0,
    )
    expect((await browser.send(listAudit, { query: { to: '2020-01-01' } })).body.entries).toEqual([])
    const terms = (await browser.send(listAuditTerms)).body
    expect(terms.actions).toContain('permissions_changed')
    expect(terms.subjects).toContain('worker')
  })

  it("shows changes by others, without one's own, refusals and sign-ins", async () => {
    const other = await makeAccount(server, { permissions: ['access.manage'] })
    const theirs = await signedIn(server, other)
    const worker = await makeWorker(server.db, { permissions: ['analytics.view'] })
    await change(worker, { role: 'Finance', permissions: ['2'], version: 1 })
    const { entries } = (await theirs.send(listAudit, { query: { others: 'true' } })).body
    expect(entries[0]).toMatchObject({ action: 'permissions_changed', worker: { id: manager.id } })
    for (const { worker: who, outcome, call } of entries) {
      expect(who?.id).not.toBe(other.id)
      expect(outcome).toBe('done')
      expect(call).not.toMatch(/auth|onboarding|profile|recovery/)
    }
    const own = (await browser.send(listAudit, { query: { others: 'true' } })).body.entries
    expect(own.map(({ worker: who }) => who?.id)).not.toContain(manager.id)
    expect((await browser.send(listAudit, { query: { others: 'false' as never } })).status).toBe(400)
  })

  it('contains no code, token, secret or cookie', async () => {
    const account = await makeAccount(server)
    const theirs = await signedIn(server, account)
    const text = JSON.stringify(await server.db.selectFrom('audit_log').selectAll().execute())
    for (const secret of [account.secret, ...theirs.cookies.values()]) expect(text).not.toContain(secret)
  })

  it('verifies its chain and names the first changed row', { timeout: 150_000 }, async () => {
    // Not through the call, which is limited to ten a minute, and the test clock does not advance.
    await chainRows(server.db, (await server.db.selectFrom('audit_log').select('id').execute()).length)
    const seen = await browser.send(verifyAudit, { body: {} })
    expect(seen.body).toMatchObject({ isWhole: true, badId: null })
    const row = await server.db.selectFrom('audit_log').select('id').orderBy('id').offset(3).executeTakeFirstOrThrow()
    await sql`alter table audit_log disable trigger user`.execute(server.db)
    await sql`update audit_log set action = 'nothing_happened' where id = ${row.id}`.execute(server.db)
    await sql`alter table audit_log enable trigger user`.execute(server.db)
    expect((await browser.send(verifyAudit, { body: {} })).body).toMatchObject({ isWhole: false, badId: row.id })
  })
})
