// @module-tag slow
import {
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  finishOnboardingPasskey,
  setMfa,
  startOnboardingPasskey,
  verifyOnboarding,
} from '@limber/contract/access/onboarding/onboarding.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, SECOND } from '#platform/clock.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { SoftPasskey } from '../passkeys/passkey.testing.ts'
import {
  auditReason,
  makeAccount,
  openBrowser,
  readMail,
  signedIn,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'
import { totpCode, totpStep } from '../sign-in/totp.rules.ts'
import { issueLink } from './onboarding.queries.ts'
import { inviteNewcomer, type Newcomer, newcomer, onboardUntil } from './onboarding.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const BAD_LINK = 'Invalid onboarding link. Please request a new one.'
const calls = [verifyOnboarding, startOnboardingPasskey, setMfa, enableMultiDevice, finalizeOnboarding] as const
const look = (token: string, browser = openBrowser(server)) => browser.send(verifyOnboarding, { body: { token } })
const statusOf = async (id: number) =>
  (await server.db.selectFrom('workers').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

describe('a link', () => {
  it.each([
    ['empty', async () => '', 'unknown_link'],
    ['wrong', async () => randomToken(), 'unknown_link'],
    ['200 letters long', async () => 'x'.repeat(200), 'unknown_link'],
    ['expired', (who: Newcomer) => change(who, { expires_at: server.clock.now() }), 'expired_link'],
    ['revoked', (who: Newcomer) => change(who, { revoked_at: server.clock.now() }), 'revoked_link'],
    ['used', (who: Newcomer) => change(who, { used_at: server.clock.now() }), 'used_link'],
    ['its own hash', async (who: Newcomer) => hashToken(who.token).toString('base64url'), 'unknown_link'],
  ] as const)('H1 that is %s gets the same refusal from every call', async (_title, make, reason) => {
    const token = await make(await inviteNewcomer(server))
    for (const call of calls) {
      const reply = await openBrowser(server).send(call, { body: { token } })
      expect([reply.status, reply.failure.error]).toEqual([401, BAD_LINK])
      expect(await auditReason(server, reply)).toBe(reason)
    }
  })

  async function change(who: Newcomer, values: { revoked_at?: Date; used_at?: Date; expires_at?: Date }) {
    await server.db.updateTable('onboarding_links').set(values).where('token_hash', '=', hashToken(who.token)).execute()
    return who.token
  }

  it('H1 expires after seven days', async () => {
    const { token } = await inviteNewcomer(server)
    server.clock.advance(7 * DAY - SECOND)
    expect((await look(token)).status).toBe(200)
    server.clock.advance(SECOND)
    expect((await look(token)).status).toBe(401)
  })

  it.each([
    ['nothing', {}],
    ['a number', { token: 7 }],
    ['a list', { token: ['x'] }],
    ['an extra key', { token: 'x', admin: true }],
  ])('H1 given as %s is malformed', async (_title, body) => {
    expect((await openBrowser(server).send(verifyOnboarding, { body: body as never })).status).toBe(400)
  })

  it('H2 limits guesses to sixty a minute', async () => {
    const browser = openBrowser(server)
    const replies = await Promise.all(Array.from({ length: 100 }, () => look(randomToken(), browser)))
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(60)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(40)
  })

  it('H2 is stored as a hash', async () => {
    const { token } = await inviteNewcomer(server)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await server.db.selectFrom('onboarding_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('H3 is not used by a scanner that opens the page or calls the API with GET', async () => {
    const { token } = await inviteNewcomer(server)
    for (const accept of ['text/html', 'application/json']) {
      const reply = await fetch(`${server.url}/onboarding?token=${token}`, { headers: { accept } })
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
      const got = await fetch(`${server.url}/onboarding/finalize?token=${token}`, { headers: { accept } })
      expect(await got.text()).not.toContain('recoveryCodes')
    }
    expect((await look(token)).status).toBe(200)
  })

  it.each([
    [
      'the worker is disabled',
      async (who: Newcomer) => {
        await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', who.id).execute()
      },
      'worker',
    ],
    [
      'another link is sent',
      async (who: Newcomer) => {
        await issueLink(server.db, who.id, 'invite', server.clock.now())
      },
      'revoked_link',
    ],
  ] as const)('H16 is invalid once %s', async (_title, invalidate, reason) => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'multi_device')
    await invalidate(who)
    const reply = await who.browser.send(finalizeOnboarding, { body: { token: who.token } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, reason])
  })

  it('H16 starts over when resent, and discards the setup of the old one', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'multi_device')
    const { token } = await issueLink(server.db, who.id, 'invite', server.clock.now())
    expect((await look(token)).body).toMatchObject({ hasPasskey: false, has2FA: false, hasMultiDeviceAuth: false })
  })

  it('continues at the same step on any device', async () => {
    const who = await inviteNewcomer(server)
    const seen = async () => {
      const { hasPasskey, has2FA, hasMultiDeviceAuth } = (await look(who.token)).body
      return [hasPasskey, has2FA, hasMultiDeviceAuth]
    }
    expect(await seen()).toEqual([false, false, false])
    await onboardUntil(server, who, 'mfa')
    expect(await seen()).toEqual([true, true, false])
    await openBrowser(server).send(enableMultiDevice, { body: { token: who.token } })
    expect(await seen()).toEqual([true, true, true])
  })
})

describe('onboarding', () => {
  it('lets the worker sign in and shows ten recovery codes once', async () => {
    const who = await inviteNewcomer(server)
    const done = await onboardUntil(server, who, 'done')
    expect(done?.worker.id).toBe(who.id)
    expect(new Set(done?.recoveryCodes).size).toBe(10)
    expect(done?.recoveryCodes[0]).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    const stored = await server.db.selectFrom('recovery_codes').selectAll().where('worker_id', '=', who.id).execute()
    expect(stored).toHaveLength(10)
    const { browser } = await signInUntil(server, who, 'signed_in')
    expect((await browser.send(checkSession)).body.workerId).toBe(who.id)
  })

  it('H4 refuses a second passkey before multi-device', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'passkey')
    const reply = await who.browser.send(startOnboardingPasskey, { body: { token: who.token } })
    expect([reply.status, reply.failure.code]).toEqual([409, 'has_passkey'])
  })

  it('registers a second passkey after multi-device', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'multi_device')
    const { options } = (await who.browser.send(startOnboardingPasskey, { body: { token: who.token } })).body
    expect(options.excludeCredentials).toHaveLength(1)
    const credential = new SoftPasskey().create(options)
    const added = await who.browser.send(finishOnboardingPasskey, { body: { token: who.token, credential } })
    expect(added.status).toBe(200)
    expect((await look(who.token)).body.passkeys).toBe(2)
  })

  it('H6 keeps one passkey when two browsers share a link', async () => {
    const who = await inviteNewcomer(server)
    const { token } = who
    const [one, two] = [openBrowser(server), openBrowser(server)]
    const options = await Promise.all([one, two].map((b) => b.send(startOnboardingPasskey, { body: { token } })))
    const replies = await Promise.all(
      [one, two].map((browser, i) => {
        const credential = new SoftPasskey().create(options[i]?.body.options as never)
        return browser.send(finishOnboardingPasskey, { body: { token, credential } })
      }),
    )
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409])
    expect((await look(token)).body.passkeys).toBe(1)
  })

  it('H6 refuses the challenge of another link', async () => {
    const [who, other] = [await inviteNewcomer(server), await inviteNewcomer(server)]
    await who.browser.send(startOnboardingPasskey, { body: { token: who.token } })
    const foreign = await other.browser.send(startOnboardingPasskey, { body: { token: other.token } })
    const credential = who.passkey.create(foreign.body.options)
    const reply = await who.browser.send(finishOnboardingPasskey, { body: { token: who.token, credential } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'challenge'])
  })

  it('H8 refuses a two-factor secret before the passkey', async () => {
    const { browser, token } = await inviteNewcomer(server)
    const reply = await browser.send(setMfa, { body: { token } })
    expect([reply.status, reply.failure.code]).toEqual([409, 'passkey_first'])
  })

  it('H9 shows a new secret each time, and none once confirmed', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'secret')
    const first = who.secret
    const second = (await who.browser.send(setMfa, { body: { token: who.token } })).body.mfa
    expect(second.secret).not.toBe(first)
    expect(second.qrCodeDataURL).toMatch(/^data:image\/png;base64,/)
    const step = totpStep(server.clock.now())
    const old = await who.browser.send(confirmMfa, { body: { token: who.token, code: totpCode(first, step) } })
    expect([old.status, await auditReason(server, old)]).toEqual([401, 'totp'])
    await who.browser.send(confirmMfa, { body: { token: who.token, code: totpCode(second.secret, step) } })
    for (const call of [setMfa, confirmMfa]) {
      const body = call === setMfa ? { token: who.token } : { token: who.token, code: '123456' }
      const reply = await who.browser.send(call as typeof setMfa, { body })
      expect([reply.status, reply.text.includes('data:image')]).toEqual([409, false])
    }
  })

  it('H10 refuses a wrong code and discards the secret after ten', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'secret')
    const confirm = (code: string) => who.browser.send(confirmMfa, { body: { token: who.token, code } })
    const step = totpStep(server.clock.now())
    const right = totpCode(who.secret, step)
    const wrong =
      ['000000', '111111', '222222'].find(
        (code) => ![step - 1, step, step + 1].some((s) => totpCode(who.secret, s) === code),
      ) ?? ''
    for (let i = 0; i < 10; i++) expect((await confirm(wrong)).status).toBe(401)
    const late = await confirm(right)
    expect([late.status, late.failure.code]).toEqual([409, 'no_secret'])
    expect((await look(who.token)).body.has2FA).toBe(false)
  })

  it('H10 refuses a code before a secret', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'passkey')
    const reply = await who.browser.send(confirmMfa, { body: { token: who.token, code: '000000' } })
    expect([reply.status, reply.failure.code]).toEqual([409, 'no_secret'])
  })

  it('H10 does not let the confirming code sign in as well', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'done')
    const { totp_last_step } = await server.db
      .selectFrom('workers')
      .selectAll()
      .where('id', '=', who.id)
      .executeTakeFirstOrThrow()
    expect(totp_last_step).toBe(who.lastStep)
  })

  it.each(['passkey', 'secret'] as const)(
    'H11 turns on multi-device only after two-factor, not after %s',
    async (stage) => {
      const who = await inviteNewcomer(server)
      await onboardUntil(server, who, stage)
      const reply = await who.browser.send(enableMultiDevice, { body: { token: who.token } })
      expect([reply.status, reply.failure.code]).toEqual([409, 'two_factor_first'])
    },
  )

  it.each(['nothing', 'passkey', 'secret', 'mfa'] as const)('H12 is not complete after %s', async (stage) => {
    const who = await inviteNewcomer(server)
    if (stage !== 'nothing') await onboardUntil(server, who, stage)
    const reply = await who.browser.send(finalizeOnboarding, { body: { token: who.token } })
    expect([reply.status, reply.failure.code]).toEqual([409, 'not_finished'])
    expect(await statusOf(who.id)).toBe('invited')
    const sent = await openBrowser(server).send(verifyCredentials, { body: { email: who.email } })
    expect([sent.status, await readMail(server, who.email, 'device-code')]).toEqual([200, undefined])
  })

  it('H13 completes once under fifty parallel requests', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'multi_device')
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => who.browser.send(finalizeOnboarding, { body: { token: who.token } })),
    )
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(49).fill(401)])
    const codes = await server.db.selectFrom('recovery_codes').select('id').where('worker_id', '=', who.id).execute()
    expect(codes).toHaveLength(10)
  })

  it('H14 leaves an invalid link', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'done')
    for (const call of calls) {
      const reply = await who.browser.send(call, { body: { token: who.token } })
      expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'used_link'])
    }
  })

  it('H15 opens no session', async () => {
    const who = await inviteNewcomer(server)
    await onboardUntil(server, who, 'done')
    expect([...who.browser.cookies.keys()]).toEqual([])
    expect((await who.browser.send(checkSession)).status).toBe(401)
  })

  it('H17 keeps old sign-in methods until a recovery is complete, then ends them', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    const who = await newcomer(server, account, 'recovery')
    await onboardUntil(server, who, 'multi_device')
    expect((await browser.send(checkSession)).status).toBe(200)
    expect((await signInUntil(server, account, 'passkey_ok')).replies).toHaveLength(3)
    await who.browser.send(finalizeOnboarding, { body: { token: who.token } })
    expect((await browser.send(checkSession)).status).toBe(401)
    const known = await browser.send(verifyCredentials, { body: { email: account.email } })
    expect(known.body.requiresDeviceAuth).toBe(true)
    await expect(signInUntil(server, account, 'passkey_ok')).rejects.toThrow('verify-passkey answered 401')
    expect((await signInUntil(server, who, 'signed_in')).replies).toHaveLength(5)
    expect(await readMail(server, account.email, 'recovered')).toContain('old passkeys')
  })

  it('H17 refuses an invitation for an active worker', async () => {
    const account = await makeAccount(server)
    const who = await newcomer(server, account, 'invite')
    const reply = await look(who.token)
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'worker'])
  })
})
