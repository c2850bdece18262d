import { verifyOnboarding } from '@limber/contract/access/onboarding/onboarding.ts'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { renewRecoveryCodes } from '@limber/contract/access/profile/profile.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { signInToSample } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { onboardUntil } from './onboarding/onboarding.testing.ts'
import { SoftPasskey } from './passkeys/passkey.testing.ts'
import {
  createSampleLink,
  firstWorkerLink,
  inviteWorker,
  isFirstOwnerUnknown,
  listWorkers,
  resetWorker,
} from './public.ts'
import { deleteOldAttempts } from './sessions/cleanup.queries.ts'
import { makeAccount, openBrowser, signedIn, signInUntil, startAccessServer } from './sign-in/sign-in.testing.ts'
import { makeWorker } from './workers/worker.factory.ts'

let server: TestServer
let sample: TestServer
beforeAll(async () => {
  server = await startAccessServer()
  sample = await startAccessServer({ LIMBER_SAMPLE: '1', TRUST_PROXY: '0' })
  await makeWorker(sample.db, { role: 'Owner' })
})
afterAll(async () => {
  await server.stop()
  await sample.stop()
})

const tokenOf = (link: string | undefined) => /token=([\w-]+)$/.exec(link ?? '')?.[1] ?? ''

describe('from the command line', () => {
  it('makes a new link for the first Owner at each start until someone has onboarded', async () => {
    const next = async (options?: { keepLinkFor: number }) =>
      (await firstWorkerLink(server.running.services, options))?.link
    const first = await next()
    const second = await next()
    expect(second).not.toBe(first)
    expect(second).toMatch(/^http:\/\/localhost:3000\/onboarding\?token=/)
    const look = (link: string | undefined) =>
      openBrowser(server).send(verifyOnboarding, { body: { token: tokenOf(link) } })
    expect([(await look(first)).status, (await look(second)).status]).toEqual([401, 200])
    // A process that starts right after it keeps the link. One that starts later makes another.
    expect(await firstWorkerLink(server.running.services, { keepLinkFor: 10 * MINUTE })).toBeUndefined()
    server.clock.advance(11 * MINUTE)
    const third = await next({ keepLinkFor: 10 * MINUTE })
    expect([(await look(second)).status, (await look(third)).status]).toEqual([401, 200])
    expect(await listWorkers(server.running.services)).toHaveLength(1)
    const [owner] = await listWorkers(server.running.services)
    if (!owner) throw new Error('no owner')
    const who = {
      ...owner,
      secret: '',
      passkey: new SoftPasskey(),
      lastStep: 0,
      token: tokenOf(third),
      browser: openBrowser(server),
    }
    await onboardUntil(server, who, 'done')
    expect(await firstWorkerLink(server.running.services)).toBeUndefined()
    const browser = await signedIn(server, who)
    const { permissions } = (await browser.send(checkSession)).body.worker
    expect(permissions.toSorted()).toEqual(permissionNames.map(codeOf).toSorted())
  })

  it('keeps the configured name and email of the first Owner, who replaces a placeholder', async () => {
    const empty = await startAccessServer()
    const { config } = empty.running.services
    const start = (given: { ownerEmail?: string; ownerName?: string } = {}) =>
      firstWorkerLink({ ...empty.running.services, config: { ...config, ...given } })
    expect(await isFirstOwnerUnknown(empty)).toBe(true)
    expect(await start()).toMatchObject({ name: 'Owner', email: 'owner@example.com' })
    expect(await isFirstOwnerUnknown(empty)).toBe(true)
    const olga = { name: 'Olga Reyes', email: 'olga@example.com' }
    expect(await start({ ownerEmail: olga.email, ownerName: olga.name })).toMatchObject(olga)
    expect(await isFirstOwnerUnknown(empty)).toBe(false)
    // A later start without settings keeps the same Owner.
    expect(await start()).toMatchObject(olga)
    expect(await listWorkers(empty.running.services)).toMatchObject([{ ...olga, role: 'Owner', status: 'invited' }])
    await empty.stop()
  })

  it('invites and lists a worker', async () => {
    const { link } = await inviteWorker(server.running.services, {
      email: 'cli@example.com',
      name: 'Cli',
      role: 'Tech',
    })
    expect((await openBrowser(server).send(verifyOnboarding, { body: { token: tokenOf(link) } })).status).toBe(200)
    await expect(
      inviteWorker(server.running.services, { email: 'cli@example.com', name: 'Cli', role: 'Tech' }),
    ).rejects.toThrow('already exists')
    expect(await listWorkers(server.running.services)).toContainEqual(
      expect.objectContaining({ email: 'cli@example.com', status: 'invited' }),
    )
  })

  it('R4 resets a worker: ends sessions, makes a link, keeps two-factor codes, and records it', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    const link = await resetWorker(server.running.services, account.email)
    expect((await browser.send(checkSession)).status).toBe(401)
    expect((await openBrowser(server).send(verifyOnboarding, { body: { token: tokenOf(link) } })).body).toMatchObject({
      isRecovery: true,
      hasPasskey: false,
      has2FA: false,
    })
    expect((await signInUntil(server, account, 'signed_in')).replies.length).toBeGreaterThan(3)
    const rows = await server.db
      .selectFrom('audit_log')
      .select(['call', 'action'])
      .where('action', '=', 'worker_reset')
      .execute()
    expect(rows).toEqual([{ call: 'limber worker reset', action: 'worker_reset' }])
    await expect(resetWorker(server.running.services, 'nobody@example.com')).rejects.toThrow('limber worker list')
  })
})

const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? ''
const knock = (key: string, headers: Record<string, string> = {}) =>
  sample.anonymous().send(signInToSample, { body: { key } }, { headers })

describe('the sign-in link of the sample company', () => {
  it('F25 opens one session that counts as stepped up', async () => {
    const key = keyOf(await createSampleLink(sample.running.services))
    const replies = await Promise.all(Array.from({ length: 20 }, () => knock(key)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(19).fill(401)])
    const opened = replies.find((reply) => reply.status === 200)
    const cookies = Object.fromEntries(
      (opened?.headers.getSetCookie() ?? []).map((line) => (line.split(';')[0] ?? '').split('=') as [string, string]),
    )
    sample.clock.advance(25 * MINUTE)
    const headers = { cookie: `sid=${cookies.sid}`, 'x-csrf-token': cookies.csrf ?? '' }
    expect((await sample.anonymous().send(renewRecoveryCodes, { body: {} }, { headers })).status).toBe(200)
  })

  it('F25 expires after 15 minutes', async () => {
    const key = keyOf(await createSampleLink(sample.running.services))
    sample.clock.advance(15 * MINUTE + SECOND)
    expect((await knock(key)).failure.code).toBe('door_closed')
  })

  it.each(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])(
    'F25 does not exist for a request through a proxy (%s)',
    async (header) => {
      const key = keyOf(await createSampleLink(sample.running.services))
      const reply = await knock(key, { [header]: '127.0.0.1' })
      expect([reply.status, reply.failure.code]).toEqual([404, 'not_found'])
      expect((await knock(key)).status).toBe(200)
    },
  )

  it('F25 does not exist outside the sample company, which makes no keys', async () => {
    const real = await server.anonymous().send(signInToSample, { body: { key: 'x'.repeat(43) } })
    const nowhere = await fetch(`${server.url}/api/auth/no-such-door`, { method: 'POST' })
    expect([real.status, real.text]).toEqual([404, await nowhere.text()])
    await expect(createSampleLink(server.running.services)).rejects.toThrow('Only the sample company')
  })

  it('F25 cannot be opened by a foreign page', async () => {
    const key = keyOf(await createSampleLink(sample.running.services))
    expect((await knock(key, { origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('the cleanup schedule', () => {
  it('deletes attempts of the day before and keeps those of today', async () => {
    await signInUntil(server, await makeAccount(server), 'code_sent')
    const count = async () => (await server.db.selectFrom('sign_in_attempts').select('id').execute()).length
    const before = await count()
    await deleteOldAttempts(server.db, new Date(0))
    expect(await count()).toBe(before)
    server.clock.advance(60 * MINUTE)
    await deleteOldAttempts(server.db, server.clock.now())
    expect(await count()).toBe(0)
  })
})
