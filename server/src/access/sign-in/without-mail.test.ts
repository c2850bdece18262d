import { listAudit } from '@limber/contract/access/audit/audit.ts'
import { verifyOnboarding } from '@limber/contract/access/onboarding/onboarding.ts'
import { redeemRecoveryCode, requestRecovery } from '@limber/contract/access/recovery/recovery.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { inviteWorker, resendLink, showLink } from '@limber/contract/access/workers/worker.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '#platform/clock.ts'
import { findStoredReplies } from '#platform/testing/testing.stored-replies.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { makeWorker } from '../workers/worker.factory.ts'
import { type Account, type Browser, makeAccount, openBrowser, signedIn, startAccessServer } from './sign-in.testing.ts'

let server: TestServer
let mailing: TestServer
let manager: Account
let browser: Browser
beforeAll(async () => {
  server = await startAccessServer()
  mailing = await startAccessServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  manager = await makeAccount(server, { permissions: ['access.manage'] })
  browser = await signedIn(server, manager)
})
afterAll(async () => {
  await server.stop()
  await mailing.stop()
})

const params = ({ id }: { id: number }) => ({ params: { id: String(id) }, body: {} })
const tokenOf = (link: string) => /\/onboarding\?token=([\w-]+)$/.exec(link)?.[1] ?? ''
const look = async (token: string) => (await openBrowser(server).send(verifyOnboarding, { body: { token } })).status
const invite = async (email: string) =>
  (await browser.send(inviteWorker, { body: { email, name: 'New Colleague' } })).body.worker

describe('hasMailServer', () => {
  it('is the same for known and unknown emails', async () => {
    const known = await makeWorker(server.db)
    for (const email of [known.email, 'nobody@example.com']) {
      const body = { email }
      const start = await openBrowser(server).send(verifyCredentials, { body })
      expect(start.body.hasMailServer).toBe(false)
      const asked = await openBrowser(server).send(requestRecovery, { body })
      const redeemed = await openBrowser(server).send(redeemRecoveryCode, { body: { email, code: 'x' } })
      for (const reply of [asked, redeemed]) {
        expect(reply.body.hasMailServer).toBe(false)
        expect(reply.body.message).not.toMatch(/by email|inbox/)
      }
      expect((await openBrowser(mailing).send(verifyCredentials, { body })).body.hasMailServer).toBe(true)
      expect((await openBrowser(mailing).send(requestRecovery, { body })).body.message).toContain('by email')
    }
    expect((await browser.send(checkSession)).body.hasMailServer).toBe(false)
  })
})

describe('an onboarding link without a mail server', () => {
  it('is shown once, revokes the old one, and is recorded in the audit log', async () => {
    const worker = await invite('shown@example.com')
    const headers = { 'idempotency-key': 'show-link-0001' }
    const first = await browser.send(showLink, params(worker), { headers })
    const second = await browser.send(showLink, params(worker), { headers })
    const tokens = [first, second].map(({ body }) => tokenOf(body.link))
    expect(await Promise.all(tokens.map(look))).toEqual([401, 200])
    expect(await findStoredReplies(server.db, 'show-link-0001')).toEqual([])
    const query = { action: 'link_shown', subjectId: String(worker.id) }
    const { entries } = (await browser.send(listAudit, { query })).body
    expect(entries).toHaveLength(2)
    expect(JSON.stringify(entries)).not.toContain(tokens[1])
  })

  it('is not shown without step-up, without permission, for active workers, or with a mail server', async () => {
    const worker = await invite('hidden@example.com')
    const active = await makeWorker(server.db)
    const elsewhere = await makeWorker(mailing.db, { status: 'invited' })
    const theirs = await signedIn(mailing, await makeAccount(mailing, { permissions: ['access.manage'] }))
    const replies = [
      await server.as('access.manage').send(showLink, params(worker)),
      await (await signedIn(server, await makeAccount(server, { permissions: ['worker.tab'] }))).send(
        showLink,
        params(worker),
      ),
      await browser.send(showLink, params(active)),
      await browser.send(showLink, params({ id: 999_999 })),
      await theirs.send(showLink, params(elsewhere)),
    ]
    expect(replies.map(({ failure }) => failure.code)).toEqual([
      'step_up_required',
      'forbidden',
      'not_invited',
      'not_found',
      'has_mail_server',
    ])
    expect(replies.map(({ text }) => text).join()).not.toContain('token=')
  })

  it('is not in the replies to inviting and resending', async () => {
    const worker = await invite('silent@example.com')
    server.clock.advance(MINUTE)
    const again = await browser.send(resendLink, params(worker))
    expect(again.status).toBe(200)
    expect(again.text).not.toContain('token=')
  })
})
