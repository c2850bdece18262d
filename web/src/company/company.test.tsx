import { readBackupKey } from '@limber/contract/company/backup-key.ts'
import { readCompany, updateCompany } from '@limber/contract/company/company.ts'
import { readMailServer, testMailServer, updateMailServer } from '@limber/contract/company/mail-server.ts'
import { changeSetup } from '@limber/contract/company/setup.ts'
import { setCompanyTime } from '@limber/contract/kit/company-time.ts'
import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeServer, makeSession, renderScreen } from '#platform/testing/testing.tsx'
import CompanyScreen from './company.screen.tsx'
import { makeCompany, makeMailServer } from './company.testing.ts'

const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body
const owner = makeSession(undefined, { worker: { ...makeSession().worker, role: 'Owner' } })
const makeServer = (hidden = false) =>
  new FakeServer()
    .answer(readCompany, { company: makeCompany(), address_from_environment: null, is_guide_hidden: hidden })
    .answer(readMailServer, { mailServer: makeMailServer() })
    .answer(readBackupKey, { keyId: 'ab12', kept: null })
const show = (server: FakeServer, session = owner) => renderScreen(<CompanyScreen />, { server, session })
const test = { at: '2026-11-14T17:00:00.000Z', isOk: false, summary: 'The server refused the user or the password.' }

// Tests share the time zone.
afterEach(() => setCompanyTime({ timeZone: 'America/Los_Angeles', weekStartsOn: 'monday', state: '' }))

describe('the company screen', () => {
  it('saves the profile with the version it was loaded with', async () => {
    const server = makeServer().answer(updateCompany, { company: makeCompany({ name: 'Coastline', version: 4 }) })
    const { user } = await show(server)
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'Coastline')
    await user.selectOptions(screen.getByLabelText('Week starts on'), 'Sunday')
    await user.click(screen.getByRole('button', { name: 'Save profile' }))
    expect(await screen.findByText('Company profile saved.')).toBeTruthy()
    expect(bodyOf(server, updateCompany)).toEqual({
      ...{ name: 'Coastline', legal_name: '', address_line: '', city: '', state: '', postal_code: '', phone: '' },
      ...{ reply_to: '', time_zone: 'America/Los_Angeles', week_starts_on: 'sunday', version: 3 },
    })
  })

  it('says that no mail server is connected, saves one and shows what it answered', async () => {
    const mailServer = makeMailServer({ host: 'smtp.example.com', isConnected: true, version: 1 })
    const failed = { ...test, answer: '535 5.7.8 Authentication failed' }
    const server = makeServer()
      .answer(updateMailServer, { mailServer })
      .answer(testMailServer, { to: 'priya.raman@example.com', test: failed })
    const { user } = await show(server)
    expect(await screen.findByText(/^No mail server is connected/)).toBeTruthy()
    await user.type(screen.getByLabelText('Server'), 'smtp.example.com')
    await user.type(screen.getByLabelText('User'), 'limber@example.com')
    await user.type(screen.getByLabelText('Password'), 'secret')
    server.answer(readMailServer, { mailServer: { ...mailServer, test: failed } })
    await user.click(screen.getByRole('button', { name: 'Save and send test' }))
    expect(await screen.findByText(/535 5\.7\.8 Authentication failed/)).toBeTruthy()
    expect(bodyOf(server, updateMailServer)).toEqual({
      ...{ host: 'smtp.example.com', port: 587, security: 'starttls', username: 'limber@example.com' },
      ...{ password: 'secret', from_address: '', version: 0 },
    })
  })

  it('says that the environment wins', async () => {
    const fromEnvironment = { server: 'smtp://mail.example.com', sender: 'Desk <desk@example.com>' }
    const server = makeServer().answer(readMailServer, {
      mailServer: makeMailServer({ fromEnvironment, isConnected: true }),
    })
    await show(server)
    expect(await screen.findByText(/SMTP_URL is set to smtp:\/\/mail\.example\.com\. It wins/)).toBeTruthy()
    expect(screen.getByText('MAIL_FROM wins: Desk <desk@example.com>')).toBeTruthy()
  })

  it('brings the guide back', async () => {
    const server = makeServer(true).answer(changeSetup, { isHidden: false })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Show setup guide' }))
    expect(await screen.findByText('The setup guide is back on Today.')).toBeTruthy()
    expect(bodyOf(server, changeSetup)).toEqual({ isHidden: false })
  })

  it('can only be read by others who manage access', async () => {
    await show(makeServer(true), makeSession(['worker.tab', 'access.manage']))
    expect((await screen.findByLabelText('Name')).hasAttribute('disabled')).toBe(true)
    for (const name of ['Save profile', 'Save and send test', 'Show key', 'Show setup guide', 'Upload logo'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('keeps what was typed when a new time zone makes the page start over', async () => {
    const { user, unmount } = await show(makeServer())
    await user.type(await screen.findByLabelText('Legal name'), 'Coastline Stretch, LLC')
    await user.type(await screen.findByLabelText('Server'), 'smtp.example.com')
    setCompanyTime({ timeZone: 'America/New_York', weekStartsOn: 'monday', state: '' })
    unmount()
    await show(makeServer())
    expect((await screen.findByLabelText<HTMLInputElement>('Legal name')).value).toBe('Coastline Stretch, LLC')
    expect((await screen.findByLabelText<HTMLInputElement>('Server')).value).toBe('smtp.example.com')
  })

  it('forgets what was typed when the page is left', async () => {
    const { user, unmount } = await show(makeServer())
    await user.type(await screen.findByLabelText('Server'), 'smtp.example.com')
    unmount()
    await show(makeServer())
    expect((await screen.findByLabelText<HTMLInputElement>('Server')).value).toBe('')
  })
})
