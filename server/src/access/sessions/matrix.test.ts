// @module-tag slow
import { codeOf, type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import { finishPasskeySetup, startPasskeySetup } from '@limber/contract/access/sign-in/sign-in.ts'
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, isMachine } from '@limber/contract/kit/call.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '#platform/clock.ts'
import { variants } from '#platform/testing/testing.rounds.ts'
import type { TestReply, TestServer, TestWorker } from '#platform/testing/testing.ts'
import { TEST_ORIGIN } from '#platform/testing/testing.ts'
import { watchWrites } from '#platform/testing/testing.writes.ts'
import { makeAccount, type SignIn, signInUntil, startAccessServer } from '../sign-in/sign-in.testing.ts'

let server: TestServer
let writes: Awaited<ReturnType<typeof watchWrites>>
/** One sign-in attempt at each stage. None of them is a session. */
const attempts = new Map<string, SignIn>()
beforeAll(async () => {
  server = await startAccessServer()
  for (const stage of ['code_sent', 'device_ok', 'passkey_ok', 'totp_ok'] as const)
    attempts.set(stage, await signInUntil(server, await makeAccount(server, { permissions: permissionNames }), stage))
  attempts.set('passkey_pending', await pendingAttempt())
  writes = await watchWrites(server.db)
})
afterAll(() => server.stop())

async function pendingAttempt(): Promise<SignIn> {
  const account = await makeAccount(server, { permissions: permissionNames, withoutPasskey: true })
  const way = await signInUntil(server, account, 'device_ok')
  const { options } = (await way.browser.send(startPasskeySetup, { body: { sessionToken: way.sessionToken } })).body
  const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
  way.sessionToken = (await way.browser.send(finishPasskeySetup, { body })).body.sessionToken
  return way
}

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`
const isPermission = (guard: string): guard is PermissionName => permissionNames.some((name) => name === guard)
const needs = ({ permission }: CallDefinition): readonly PermissionName[] | undefined =>
  typeof permission !== 'string' ? permission : isPermission(permission) ? [permission] : undefined
const isOpen = ({ permission }: CallDefinition) => permission === 'public' || permission === 'attempt'

/** The call with an unknown ID and a meaningless body. The guard must refuse before either is read. */
function send(call: CallDefinition, headers: Record<string, string | undefined>, rawBody = '{"garbage":"canary"}') {
  const params = Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', '999999']))
  const isRead = call.method === 'GET'
  const type = call.bodyType === 'multipart' ? 'multipart/form-data; boundary=x' : 'application/json'
  return server
    .anonymous()
    .send(
      call,
      { params },
      { headers: { ...(!isRead && { 'content-type': type }), ...headers }, ...(!isRead && { rawBody }) },
    )
}
const known = new Map<string, Promise<TestWorker>>()
/** A signed-in worker per kind, created once, because thousands of rows would slow every call. */
function worker(kind: string, permissions: readonly PermissionName[], make = signIn): Promise<TestWorker> {
  const key = `${kind}: ${permissions.join(' ')}`
  const found = known.get(key) ?? make(permissions)
  known.set(key, found)
  return found
}
const signIn = (permissions: readonly PermissionName[]) => server.signIn(permissions, { isSteppedUp: true })

async function signInDisabled(permissions: readonly PermissionName[]) {
  const made = await signIn(permissions)
  await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', made.id).execute()
  return made
}

const signInSince =
  (change: () => { ended_at: Date } | { created_at: Date }) => async (permissions: readonly PermissionName[]) => {
    const made = await signIn(permissions)
    await server.db.updateTable('sessions').set(change()).where('id', '=', made.sessionId).execute()
    return made
  }
const signInEnded = signInSince(() => ({ ended_at: server.clock.now() }))
const signInOld = signInSince(() => ({ created_at: new Date(server.clock.now().getTime() - 13 * HOUR) }))

const grant = (id: number, permissions: readonly PermissionName[]) =>
  server.db
    .updateTable('workers')
    .set({ permissions: permissions.map(codeOf) })
    .where('id', '=', id)
    .execute()

async function signInRobbed(permissions: readonly PermissionName[]) {
  const made = await signIn(permissions)
  await grant(made.id, [])
  return made
}

const as = ({ token, csrf }: TestWorker) => ({ cookie: `sid=${token}`, 'x-csrf-token': csrf })
const asAttempt = ({ browser, sessionToken }: SignIn) => ({
  cookie: `flow=${browser.cookies.get('flow')}; sid=${sessionToken}`,
  'x-csrf-token': browser.cookies.get('csrf'),
  authorization: `Bearer ${sessionToken}`,
})

/** What a refusal may write. */
const TRACE = /^(audit_log|audit_chain|rate_limits|mailbox|outbox|event)/
const changes = async () => (await writes.written()).filter((write) => !TRACE.test(write))

async function expectAudited(reply: TestReply, code: string) {
  expect([reply.status, reply.failure.code]).toEqual([403, code])
  const rows = await server.db
    .selectFrom('audit_log')
    .selectAll()
    .where('request_id', '=', reply.headers.get('x-request-id'))
    .execute()
  expect(rows.map((row) => [row.outcome, row.action])).toEqual([['refused', code]])
  expect(JSON.stringify(rows)).not.toContain('canary')
}

const guarded = calls.filter((call) => !isOpen(call))
const named = (list: readonly CallDefinition[]) => list.map((call, turn) => [nameOf(call), call, turn] as const)

describe('every call', () => {
  it('Z1 is in the matrix', () => {
    expect(guarded.length).toBeGreaterThan(30)
    // Calls for other programs check the key of their caller themselves.
    const open = calls.filter(({ permission, machine }) => permission === 'public' && !machine).map(nameOf)
    const expected =
      /^(GET \/(healthz|readyz)|POST \/api\/auth\/(verify-credentials|sample-door)|POST (\/api)?\/onboarding\/|POST \/api\/recovery\/|GET \/api\/(verify|unsubscribe|rating|calendar|company\/logo)\/|GET \/\.well-known\/|GET \/certifications\/types\/:id$)/
    expect(open.filter((name) => !expected.test(name))).toEqual([])
  })

  it.each(named(guarded))('Z3 %s is closed to strangers, attempts and ended sessions', async (_name, call, turn) => {
    const right = needs(call) ?? []
    const disabled = await worker('disabled', right, signInDisabled)
    const ended = await worker('ended', right, signInEnded)
    const idle = await worker('old', right, signInOld)
    await writes.clear()
    const tries = [{}, as(disabled), as(ended), as(idle), ...[...attempts.values()].map(asAttempt)]
    expect(tries).toHaveLength(9)
    for (const headers of variants(tries, 2, turn)) expect((await send(call, headers)).status).toBe(401)
    expect(await changes(), 'Z4 nothing changed').toEqual([])
  })

  it.each(named(guarded.filter((call) => needs(call))))(
    'Z3 %s is open only with its permission',
    async (_name, call) => {
      const right = needs(call) ?? []
      const none = await worker('any', [])
      const others = await worker(
        'any',
        permissionNames.filter((name) => !right.includes(name)),
      )
      const removed = await worker('robbed', right, signInRobbed)
      await writes.clear()
      // Z5: an unknown ID gives 403 and not 404, a bad body 403 and not 400. Z7: each is in the audit log.
      for (const one of [none, others, removed]) await expectAudited(await send(call, as(one)), 'forbidden')
      expect(await changes(), 'Z4 nothing changed').toEqual([])
      for (const name of right) {
        if (call.replyType === 'stream') continue
        const allowed = await worker('allowed', [name])
        const { status, failure } = await send(call, as(allowed))
        // Behind the guard, a handler may admit Owners only.
        if (failure?.code !== 'not_owner') expect([401, 403]).not.toContain(status)
        await grant(allowed.id, [])
        expect((await send(call, as(allowed))).status).toBe(403)
        await grant(allowed.id, [name])
      }
      expect(right.map(codeOf).every(Boolean)).toBe(true)
    },
  )

  it.each(named(guarded.filter((call) => call.stepUp)))('Z3 %s requires step-up', async (_name, call) => {
    const stale = await worker('stale', needs(call) ?? [], (permissions) => server.signIn(permissions))
    await writes.clear()
    await expectAudited(await send(call, as(stale)), 'step_up_required')
    expect(await changes(), 'Z4 nothing changed').toEqual([])
  })

  it.each(named(calls.filter(({ permission }) => permission === 'attempt')))(
    'Z3 %s is closed to strangers, sessions and other attempts',
    async (_name, call) => {
      const session = await worker('any', permissionNames)
      const way = attempts.get('totp_ok')
      const other = attempts.get('device_ok')
      if (!way || !other) throw new Error('no attempts')
      const flow = `flow=${way.browser.cookies.get('flow')}`
      expect((await send(call, {})).status).toBe(401)
      expect((await send(call, as(session))).status).toBe(401)
      const tokens = [undefined, '', session.csrf, other.browser.cookies.get('csrf')]
      for (const token of tokens) expect((await send(call, { cookie: flow, 'x-csrf-token': token })).status).toBe(403)
    },
  )

  it.each(named(calls.filter((call) => call.method !== 'GET' && !isMachine(call))))(
    'G4 %s is closed to other sites',
    async (_name, call, turn) => {
      const own = await worker('any', needs(call) ?? [])
      const way = attempts.get('totp_ok')
      const good = call.permission === 'attempt' && way ? asAttempt(way) : as(own)
      await writes.clear()
      const sites = [
        { origin: undefined },
        { origin: '' },
        { origin: 'null' },
        { origin: 'https://evil.example' },
        { origin: `${TEST_ORIGIN}.evil.example` },
        { origin: 'http://a.localhost:3000' },
        { origin: `${TEST_ORIGIN}/` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]
      for (const site of variants(sites, 2, turn)) expect((await send(call, { ...good, ...site })).status).toBe(403)
      expect(await changes(), 'Z4 nothing changed').toEqual([])
    },
  )

  it.each(named(guarded.filter((call) => call.method !== 'GET' && !isMachine(call))))(
    'G1 %s needs the CSRF token of its session',
    async (_name, call, turn) => {
      const own = await worker('own', needs(call) ?? [])
      const other = await worker('any', permissionNames)
      await writes.clear()
      for (const token of variants([undefined, '', 'x.y', other.csrf, `${own.csrf}x`], 1, turn))
        expect((await send(call, { ...as(own), 'x-csrf-token': token })).status).toBe(403)
      expect(await changes(), 'Z4 nothing changed').toEqual([])
    },
  )

  it.each(named(calls.filter((call) => call.method !== 'GET' && !isMachine(call))))(
    'G5 %s takes one media type',
    async (_name, call, turn) => {
      const own = await worker('any', needs(call) ?? [])
      const way = attempts.get('totp_ok')
      const good = call.permission === 'attempt' && way ? asAttempt(way) : as(own)
      const types = [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'application/json garbage' },
        { 'content-type': 'application/json\ta' },
        { 'content-type': 'application/jsonp' },
        { 'content-encoding': 'gzip' },
      ]
      for (const type of variants(types, 1, turn)) expect((await send(call, { ...good, ...type })).status).toBe(415)
    },
  )
})
