import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { inviteWorker } from '@limber/contract/access/workers/worker.ts'
import { updateCompany } from '@limber/contract/company/company.ts'
import { readMailServer, testMailServer, updateMailServer } from '@limber/contract/company/mail-server.ts'
import { readSetup } from '@limber/contract/company/setup.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

const LOGIN = { user: 'limber@coastline.example.com', password: 'correct-horse-battery' }

let smtp: MailServer
let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  smtp = await openMailServer(0, LOGIN)
  server = await startTestServer()
  owner = server.asOwner({ isSteppedUp: true, email: 'olga@example.com', name: 'Olga Reyes' })
})
afterAll(async () => {
  await server.stop()
  await smtp.close()
})

const current = async (by = owner) => (await by.send(readMailServer)).body.mailServer
const save = async (changes: object, by = owner) =>
  by.send(updateMailServer, {
    body: {
      ...{ host: '127.0.0.1', port: smtp.port, security: 'none', username: LOGIN.user, from_address: '' },
      version: (await current()).version,
      ...changes,
    } as never,
  })
const test = async () => (await owner.send(testMailServer, { body: {} })).body
const mailStep = async () => (await owner.send(readSetup)).body.steps.find(({ id }) => id === 'mail')
const lettersTo = (to: string) => smtp.letters.filter((letter) => letter.to === to)

describe('the mail server', () => {
  it('is not connected at first, and says so', async () => {
    expect(await current()).toMatchObject({ host: '', isConnected: false, hasPassword: false, test: null })
    expect((await owner.send(checkSession)).body.hasMailServer).toBe(false)
    expect(await mailStep()).toEqual({ id: 'mail', state: 'open', server: null, testedAt: null })
    const reply = await owner.send(testMailServer, { body: {} })
    expect([reply.status, reply.failure.code]).toEqual([409, 'not_connected'])
  })

  it('says what the server answered to a wrong password, without the password', async () => {
    expect((await save({ password: 'wrong-password-7' })).status).toBe(200)
    const result = await test()
    expect(result).toMatchObject({
      to: 'olga@example.com',
      test: { isOk: false, summary: 'The server refused the user or the password.' },
    })
    expect(result.test.answer).toContain('535')
    expect(result.test.answer).toContain('Authentication failed')
    expect(await mailStep()).toMatchObject({ state: 'failed', testedAt: server.clock.now().toISOString() })
    const stored = await server.db.selectFrom('mail_server').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain('wrong-password-7')
    expect(stored.password?.toString('latin1')).not.toContain('wrong-password-7')
    const rows = await server.db.selectFrom('audit_log').selectAll().where('subject', '=', 'company').execute()
    expect(rows.map(({ action }) => action)).toEqual(['mail_server_changed', 'mail_server_tested'])
    expect(JSON.stringify(rows)).not.toContain('wrong-password-7')
  })

  it('sends a test email with the right password, then all emails, from the company', async () => {
    const saved = await save({ password: LOGIN.password })
    expect(saved.body.mailServer).toMatchObject({ isConnected: true, hasPassword: true, test: null })
    expect(JSON.stringify(saved.body)).not.toContain(LOGIN.password)
    expect(await mailStep()).toMatchObject({ state: 'started', testedAt: null })
    const { version } = (await server.db.selectFrom('company').select('version').executeTakeFirstOrThrow()) as never
    await owner.send(updateCompany, {
      body: {
        ...{ name: 'Coastline Stretch', legal_name: '', address_line: '', city: '', state: '', postal_code: '' },
        ...{ phone: '', reply_to: 'hello@coastline.example.com', time_zone: 'America/Los_Angeles' },
        ...{ week_starts_on: 'monday', version },
      },
    })
    expect((await test()).test).toMatchObject({ isOk: true, answer: expect.stringMatching(/^250/) })
    expect(await mailStep()).toMatchObject({ state: 'done' })
    const [letter] = lettersTo('olga@example.com')
    expect(letter?.raw).toContain(`From: Coastline Stretch <${LOGIN.user}>`)
    expect(letter?.raw).toContain('Reply-To: hello@coastline.example.com')

    await eventually(async () => server.running.services.company.current().mail || undefined)
    expect((await owner.send(checkSession)).body.hasMailServer).toBe(true)
    const body = { name: 'Rafael Ortega', email: 'rafael@example.com', role: 'Support Agent' }
    expect((await owner.send(inviteWorker, { body: body as never })).status).toBe(200)
    await eventually(async () => lettersTo('rafael@example.com')[0])
    expect(await server.db.selectFrom('mailbox').selectAll().where('to_address', '=', body.email).execute()).toEqual([])
  })

  it('keeps the password unless server or user change, and never sends it elsewhere', async () => {
    expect((await save({ port: smtp.port, from_address: 'desk@example.com' })).status).toBe(200)
    expect((await test()).test.isOk).toBe(true)
    expect(smtp.letters.at(-1)?.raw).toContain('From: Coastline Stretch <desk@example.com>')
    for (const changes of [{ host: 'localhost' }, { username: 'other@example.com' }]) {
      const reply = await save(changes)
      expect([reply.status, reply.failure.code]).toEqual([422, 'password_needed'])
    }
    expect((await test()).test.isOk).toBe(true)
  })

  it('refuses a stale version, a sender that is missing, and everyone but Owners', async () => {
    const { version } = await current()
    expect((await save({ from_address: 'one@example.com' })).status).toBe(200)
    const late = await save({ from_address: 'two@example.com', version })
    expect([late.status, late.failure.code]).toEqual([409, 'stale'])
    expect(late.failure.current).toMatchObject({ from_address: 'one@example.com' })
    expect(JSON.stringify(late.failure)).not.toContain(LOGIN.password)
    const nameless = await save({ username: '', from_address: '' })
    expect(nameless.failure.code).toBe('no_sender')
    const manager = server.asSteppedUp('access.manage')
    expect((await save({}, manager)).failure.code).toBe('not_owner')
    expect((await manager.send(testMailServer, { body: {} })).failure.code).toBe('not_owner')
    expect((await save({}, server.asOwner())).failure.code).toBe('step_up_required')
  })

  it.each([
    { host: 'a b' },
    { host: 'mail.example.com/x' },
    { host: 'user@mail.example.com' },
    { host: 'a\r\nb' },
    { port: 0 },
    { port: 70_000 },
    { security: 'ssl3' },
    { from_address: 'nobody' },
    { from_address: 'a@b.example\r\nBcc: c@d.example' },
  ])('rejects %j', async (changes) => {
    const before = await current()
    expect((await save(changes)).status).toBe(400)
    expect(await current()).toEqual(before)
  })

  it('says why the server cannot be reached', async () => {
    expect((await save({ port: 1, password: LOGIN.password })).status).toBe(200)
    expect((await test()).test).toMatchObject({ isOk: false, summary: expect.stringMatching(/^Couldn't connect/) })
    expect((await save({ security: 'starttls', password: LOGIN.password })).status).toBe(200)
    // The server offers no encryption, so nothing is sent to it.
    const before = smtp.letters.length
    expect((await test()).test).toMatchObject({ isOk: false, summary: expect.stringContaining('encrypted') })
    expect(smtp.letters).toHaveLength(before)
  })

  it('is disconnected with an empty host, and forgets the password', async () => {
    expect((await save({ host: '', username: '', from_address: '' })).body.mailServer).toMatchObject({
      isConnected: false,
      hasPassword: false,
    })
    await eventually(async () => server.running.services.company.current().mail === undefined || undefined)
    expect((await owner.send(checkSession)).body.hasMailServer).toBe(false)
  })
})

describe('settings of the environment', () => {
  it('win over the screen, and the screen says so', async () => {
    const url = smtp.url.replace('//', `//${encodeURIComponent(LOGIN.user)}:${LOGIN.password}@`)
    const other = await startTestServer({ env: { SMTP_URL: url, MAIL_FROM: 'Desk <desk@example.com>' } })
    try {
      const boss = other.asOwner({ isSteppedUp: true, email: 'boss@example.com' })
      const body = {
        host: '127.0.0.1',
        port: 1,
        security: 'none',
        username: '',
        from_address: 'x@example.com',
        version: 0,
      }
      expect((await boss.send(updateMailServer, { body: body as never })).status).toBe(200)
      const shown = await current(boss)
      expect(shown).toMatchObject({ isConnected: true, sender: 'Desk <desk@example.com>' })
      expect(shown.fromEnvironment.server).toContain(`:${smtp.port}`)
      expect(JSON.stringify(shown)).not.toContain(LOGIN.password)
      expect((await boss.send(testMailServer, { body: {} })).body.test).toMatchObject({ isOk: true })
      expect(lettersTo('boss@example.com')[0]?.raw).toContain('From: Desk <desk@example.com>')
    } finally {
      await other.stop()
    }
  })

  it('keep the sample company from sending, whatever is set', async () => {
    const sample = await startTestServer({ env: { LIMBER_SAMPLE: '1' } })
    try {
      const boss = sample.asOwner({ isSteppedUp: true })
      const body = { host: '127.0.0.1', port: smtp.port, security: 'none', username: '', from_address: 'x@example.com' }
      const saved = await boss.send(updateMailServer, { body: { ...body, version: 0 } as never })
      expect(saved.body.mailServer).toMatchObject({ isConnected: false, sendsNothing: true })
      expect((await boss.send(testMailServer, { body: {} })).failure.code).toBe('not_connected')
    } finally {
      await sample.stop()
    }
  })
})
