import { readPartner, sendOutreach } from '@limber/contract/growth/partners/partner.ts'
import { listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBusiness } from '#businesses/business/business.factory.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

let server: TestServer
let caller: TestCaller
const draft = { subject: 'Sessions at your place', header: 'Hello', body: 'Shall we talk?', businessId: null }
const write = (more: object, by = caller) =>
  by.send(sendOutreach, { body: { recipients: ['rep@outreach.example'], ...draft, ...more } })
const many = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@many.example`)
const waiting = async () => {
  const rows = await server.db.selectFrom('outbox').select(['key', 'payload']).where('channel', '=', 'mail').execute()
  return rows
    .filter(({ key }) => key.startsWith('outreach:'))
    .map(({ payload }) => JSON.parse(server.running.services.keyring.open('outbox', payload)) as Mail)
}
const emailsTo = async (to: string) => (await waiting()).filter((mail) => mail.to === to)
const partner = async (id: number) => (await caller.send(readPartner, { params: { id: String(id) } })).body

beforeAll(async () => {
  server = await startTestServer({ env: { COMPANY_ADDRESS: '1 Main St, Riverside' } })
  caller = server.as('growth.tab')
})
afterAll(() => server.stop())

describe('POST /api/marketing/partner/send-email', () => {
  it('sends one email per recipient with one-click unsubscribe, and counts the contact', async () => {
    const { id } = await makeBusiness(server.db)
    const recipients = ['Rep@First.example', 'rep@first.example', 'two@first.example']
    const reply = await write({ recipients, businessId: id })
    expect(reply.body).toEqual({ success: true, sent: 2, skipped: 0, skippedAddresses: [] })
    const [mail, ...others] = await emailsTo('rep@first.example')
    expect(others).toEqual([])
    expect(mail).toMatchObject({ subject: 'Sessions at your place', isBulk: true })
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': expect.stringMatching(/^<http.*\/api\/unsubscribe\/.+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(mail?.text).toContain('Shall we talk?')
    expect(mail?.text).toContain('1 Main St, Riverside')
    expect(await partner(id)).toMatchObject({
      timesContacted: 1,
      lastContact: server.clock.now().toISOString(),
      notes: [{ note: 'Outreach email to 2 people: Sessions at your place' }],
    })
  })

  it('counts as a contact with every partner whose representative gets the email', async () => {
    const make = (admin_email: string, more: object = {}) => makeBusiness(server.db, { admin_email, ...more })
    const [first, second, other] = [
      await make('a@five.example'),
      await make('b@five.example'),
      await make('c@five.example'),
    ]
    const gone = await make('a@five.example', { archived_at: server.clock.now() })
    await write({ recipients: ['a@five.example', 'B@five.example', 'd@five.example'] })
    for (const [{ id }, timesContacted] of [
      [first, 1],
      [second, 1],
      [other, 0],
      [gone, 0],
    ] as const)
      expect([id, (await partner(id)).timesContacted]).toEqual([id, timesContacted])
    expect((await partner(second.id)).notes).toMatchObject([
      { note: 'Outreach email to 3 people: Sessions at your place' },
    ])
    await write({ recipients: ['b@five.example'], businessId: first.id })
    expect((await partner(first.id)).timesContacted).toBe(2)
    expect((await partner(second.id)).timesContacted).toBe(2)
  })

  it('appears encrypted in the email log, and is found by its recipient', async () => {
    await write({ recipients: ['logged@outreach.example', 'other@outreach.example'], subject: 'For the log' })
    const support = server.asSteppedUp('support.tab')
    const query = { type: 'outreach', recipient: 'logged@outreach.example' } as const
    const { data } = (await support.send(listEmailLogs, { query })).body
    expect(data).toMatchObject([{ subject: 'For the log', type: 'outreach', html_content: '[Encrypted Content]' }])
    expect(JSON.stringify(data)).not.toContain('logged@outreach.example')
    const params = { id: String(data[0]?.id) }
    const opened = await support.send(revealEmail, { params, body: { reason: 'The partner asks what we wrote' } })
    expect(opened.body).toMatchObject({ to_address: 'logged@outreach.example' })
    expect(opened.body.text).toContain('Shall we talk?')
  })

  it('shows typed HTML as text', async () => {
    await write({
      recipients: ['html@outreach.example'],
      header: '<img src=x onerror=alert(1)>',
      body: '<b>Bold</b> & "quoted" $& $1',
    })
    const [mail] = await emailsTo('html@outreach.example')
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(mail?.html).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;quoted&quot; $&amp; $1')
    expect(mail?.html).not.toMatch(/<img|<b>/)
  })

  it('skips recipients who unsubscribed', async () => {
    const { id } = await makeBusiness(server.db)
    await write({ recipients: ['leaver@outreach.example'] })
    const [mail] = await emailsTo('leaver@outreach.example')
    const token = /unsubscribe\/([^>]+)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const left = await fetch(`${server.url}${unsubscribe.path.replace(':token', token)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(left.status).toBe(200)
    const some = await write({ recipients: ['LEAVER@outreach.example', 'stays@outreach.example'], businessId: id })
    const skippedAddresses = ['leaver@outreach.example']
    expect(some.body).toEqual({ success: true, sent: 1, skipped: 1, skippedAddresses })
    const none = await write({ recipients: ['leaver@outreach.example'], businessId: id })
    expect(none).toMatchObject({ status: 422, failure: { code: 'nobody_left' } })
    expect(await emailsTo('leaver@outreach.example')).toHaveLength(1)
    expect((await partner(id)).timesContacted).toBe(1)
  })

  it.each([
    [{ subject: 'Hi\r\nBcc: all@example.com' }],
    [{ subject: 'Hi\n' }],
    [{ recipients: ['a@b.example\r\nBcc: c@d.example'] }],
    [{ recipients: ['a@b.example\n'] }],
    [{ header: 'Hi\rthere' }],
    [{ recipients: [] }],
    [{ recipients: [''] }],
    [{ recipients: ['not an address'] }],
    [{ recipients: ['<leaver@outreach.example>'] }],
    [{ recipients: ['leaver@outreach.example,'] }],
    [{ subject: ' ' }],
    [{ body: '' }],
    [{ body: 'x'.repeat(20_001) }],
    [{ businessId: 'x' }],
    [{ cc: ['a@b.example'] }],
  ])('refuses %j', async (more) => {
    const before = (await waiting()).length
    expect((await write(more)).status).toBe(400)
    expect(await waiting()).toHaveLength(before)
  })

  it('refuses more than 1,000 recipients, and requires a passkey above 100', async () => {
    expect((await write({ recipients: many(5_000) })).status).toBe(413)
    expect((await write({ recipients: many(1_001) }, server.asSteppedUp('growth.tab'))).status).toBe(413)
    const asked = await write({ recipients: many(101) })
    expect(asked).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
    expect((await write({ recipients: many(100) }, server.as('growth.tab'))).body).toMatchObject({ sent: 100 })
    expect((await write({ recipients: many(101) }, server.asSteppedUp('growth.tab'))).body).toMatchObject({ sent: 101 })
  })

  it('refuses unknown partners and callers without permission', async () => {
    expect((await write({ businessId: 999_999 })).status).toBe(404)
    expect((await write({}, server.as('businesses.manage'))).status).toBe(403)
    expect((await write({}, server.anonymous())).status).toBe(401)
  })
})
