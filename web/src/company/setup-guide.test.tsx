import { confirmBackupKey, revealBackupKey } from '@limber/contract/company/backup-key.ts'
import { readMailServer } from '@limber/contract/company/mail-server.ts'
import { changeSetup, readSetup, type SetupStep } from '@limber/contract/company/setup.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, makeSession, renderScreen } from '#platform/testing/testing.tsx'
import { makeMailServer, openSteps } from './company.testing.ts'
import SetupGuide from './setup-guide.tsx'

const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body
const owner = makeSession(undefined, {
  worker: { ...makeSession().worker, role: 'Owner' },
})
const changing = (...changed: SetupStep[]) =>
  openSteps().map((step) => changed.find(({ id }) => id === step.id) ?? step)
const guide = (steps: SetupStep[], company = 'Coastline Stretch') =>
  new FakeServer()
    .answer(readSetup, { company, isHidden: false, steps })
    .answer(readMailServer, { mailServer: makeMailServer() })
const show = (server: FakeServer, session = owner) => renderScreen(<SetupGuide />, { server, session })
const stepNamed = async (name: RegExp) => {
  const heading = await screen.findByRole('heading', { name, level: 4 })
  return within(heading.closest('li') as HTMLElement)
}

describe('the setup guide', () => {
  it('names every step with its state and leads to its place', async () => {
    await show(guide(openSteps(), ''))
    expect(await screen.findByRole('heading', { name: 'Set up your company' })).toBeTruthy()
    expect(screen.getByText(/^0 of 10 done/)).toBeTruthy()
    const links = [
      [/Company profile \(to do\)/, 'Fill in', '/worker/tech/company'],
      [/First zone \(to do\)/, 'Draw a zone', '/worker/managing/zones?zone=new'],
      [/First colleague \(to do\)/, 'Invite', '/worker/tech/access'],
      [/Connect your app \(to do\)/, 'API keys', '/worker/tech/access/api-keys'],
      [/Text messages \(to do\)/, 'How to connect', '/worker/tech/health'],
    ] as const
    for (const [name, label, href] of links)
      expect((await stepNamed(name)).getByRole('link', { name: label }).getAttribute('href')).toBe(href)
  })

  it('opens the form of the mail server where a test failed, and says so', async () => {
    const failed = { id: 'mail', state: 'failed', server: 'smtp://x', testedAt: '2026-11-14T17:00:00.000Z' } as const
    await show(guide(changing(failed)))
    const step = await stepNamed(/Mail server \(failed\)/)
    expect(step.getByText(/^The test email failed/)).toBeTruthy()
    expect(await step.findByLabelText('Server')).toBeTruthy()
    expect(step.getByRole('button', { name: 'Save and send test' })).toBeTruthy()
  })

  it('shows what was started: an invited colleague, and a key that waits for its first call', async () => {
    await show(
      guide(
        changing(
          { id: 'colleague', state: 'started', name: 'Rafael Ortega', since: '2026-11-14T17:00:00.000Z' },
          { id: 'api-key', state: 'started', name: 'Customer app', usedAt: null },
        ),
      ),
    )
    expect((await stepNamed(/First colleague \(started\)/)).getByText(/^Rafael Ortega was invited/)).toBeTruthy()
    const key = await stepNamed(/Connect your app \(started\)/)
    expect(key.getByText(/^Key “Customer app” exists/)).toBeTruthy()
    expect(key.getByText(/^curl .*\/api\/v1\/me$/)).toBeTruthy()
  })

  it('shows the backup key and records that it is kept elsewhere', async () => {
    const server = guide(openSteps())
      .answer(revealBackupKey, { keyId: 'ab12', key: 'the-secret-backup-key' })
      .answer(confirmBackupKey, { keyId: 'ab12', kept: { at: '2026-11-14T17:00:00.000Z', by: 'Priya Raman' } })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Show key' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Backup key' }))
    expect(dialog.getByText('the-secret-backup-key')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Confirm' }).hasAttribute('disabled')).toBe(true)
    await user.click(dialog.getByLabelText('I keep a copy elsewhere'))
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Saved that the backup key is kept elsewhere.')).toBeTruthy()
    expect(bodyOf(server, confirmBackupKey)).toEqual({ keyId: 'ab12' })
  })

  it('saves the start of payroll in place', async () => {
    const values = {
      basePay: 45,
      onsiteHourlyPay: null,
      taxRate: 0.2,
      payFrequency: 'biweekly',
      uiRate: 0.034,
    } as const
    const settings = {
      ...values,
      ...{ effectiveFrom: '2026-01-01', starts_on: null, start_changes: [], late_bookings: 0, version: 4 },
      ...{ history: [], taxYears: [], notice: '' },
    }
    const server = guide(openSteps()).answer(readSettings, settings).answer(changeSettings, settings)
    const { user } = await show(server)
    const day = await screen.findByLabelText('Payroll starts on')
    await user.clear(day)
    await user.type(day, '2026-12-01')
    await user.click((await stepNamed(/Payroll starts on/)).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/^Payroll starts on Dec 1/)).toBeTruthy()
    expect(bodyOf(server, changeSettings)).toEqual({ starts_on: '2026-12-01', version: 4 })
  })

  it('is hidden by an Owner; others have no button', async () => {
    const server = guide(openSteps()).answer(changeSetup, { isHidden: true })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Hide guide' }))
    expect(await screen.findByText('The setup guide is hidden. Company brings it back.')).toBeTruthy()
    expect(bodyOf(server, changeSetup)).toEqual({ isHidden: true })
  })

  it('shows others only their steps, without Hide guide', async () => {
    await show(guide(openSteps().filter(({ id }) => id === 'zone')), makeSession(['worker.tab', 'businesses.manage']))
    expect(await screen.findByText(/^0 of 1 done/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Hide guide' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Optional' })).toBeNull()
  })

  it('shrinks to one line when everything is done', async () => {
    await show(guide([{ id: 'zone', state: 'done', name: 'Long Beach' }]))
    expect(await screen.findByRole('heading', { name: 'Coastline Stretch is set up' })).toBeTruthy()
    expect(screen.queryByRole('list')).toBeNull()
  })
})
