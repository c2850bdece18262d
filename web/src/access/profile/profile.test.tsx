import { confirmAuthenticator, startAuthenticator } from '@limber/contract/access/passkeys/authenticator.ts'
import {
  correctProfile,
  endMySession,
  finishAddPasskey,
  type Profile,
  readProfile,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  revokeMyDevice,
  startAddPasskey,
} from '@limber/contract/access/profile/profile.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { hasLetterKeys } from '#ui/keyboard/is-page-key.ts'
import { CODES, closedPrompt, creation, fakePasskeys, makeProfile } from '../access.testing.ts'
import ProfileScreen from './profile.screen.tsx'

const [laptop] = makeProfile().passkeys
if (!laptop) throw new Error('The profile has no passkey')
const phone = { ...laptop, id: 2, name: 'Phone', isBackedUp: false, lastUsedAt: null }
const other = { ...makeProfile().sessions[0], id: 11, isCurrent: false } as Profile['sessions'][number]
const done = { success: true as const }

async function show(profile: Partial<Profile> = {}, server = new FakeServer()) {
  server.answer(readProfile, makeProfile(profile))
  const view = await renderScreen(<ProfileScreen />, { server })
  await screen.findByRole('list', { name: 'Passkeys' })
  return view
}
const row = (list: string, text: string) => {
  const item = within(screen.getByRole('list', { name: list }))
    .getByText(text)
    .closest('li')
  if (!item) throw new Error(`${text} is not in ${list}`)
  return within(item)
}

let passkeys: ReturnType<typeof fakePasskeys>
beforeEach(() => {
  passkeys = fakePasskeys()
})

describe('my profile', () => {
  it('shows my account and permissions', async () => {
    await show()
    expect(screen.getByText('Worker ID').nextElementSibling?.textContent).toContain('7')
    expect(screen.getByText('priya.raman@example.com')).toBeTruthy()
    expect(screen.getByText('Manage workers, access and API keys, and read the audit log')).toBeTruthy()
    expect(screen.getByText(/10 of 10 left/)).toBeTruthy()
  })

  it('turns single-letter keys off and on, in this browser', async () => {
    const { user } = await show()
    const keys = screen.getByRole<HTMLInputElement>('switch', { name: /^Single-letter keys/ })
    expect(keys.checked).toBe(true)
    await user.click(keys)
    expect([keys.checked, hasLetterKeys()]).toEqual([false, false])
    await user.click(keys)
    expect(hasLetterKeys()).toBe(true)
  })

  it('lets Owners edit their name and email, with the loaded version', async () => {
    const server = new FakeServer().answer(correctProfile, done)
    const { user } = await show({ role: 'Owner', name: 'Owner', email: 'owner@example.com' }, server)
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit your name and email' }))
    const [name, email] = ['Name', 'Email'].map((label) =>
      dialog.getByRole<HTMLInputElement>('textbox', { name: label }),
    )
    expect([name?.value, email?.value]).toEqual(['Owner', 'owner@example.com'])
    for (const [field, text] of [
      [name, 'Olga Reyes'],
      [email, 'olga@'],
    ] as const) {
      await user.clear(field as HTMLElement)
      await user.type(field as HTMLElement, text)
    }
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(server.callCount(correctProfile)).toBe(0)
    await user.type(email as HTMLElement, 'example.com')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === correctProfile)?.body).toEqual({
      name: 'Olga Reyes',
      email: 'olga@example.com',
      version: 3,
    })
  })

  it('does not let other workers edit their name and email', async () => {
    await show()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  it('shows empty states without permissions and known browsers', async () => {
    await show({ permissions: [], devices: [] })
    expect(screen.getByText('No permissions yet')).toBeTruthy()
    expect(screen.getByText('No known browsers')).toBeTruthy()
  })

  it('offers Retry when loading fails', async () => {
    const server = new FakeServer().answer(readProfile, new Refusal(500, 'broken', 'Something broke.'))
    const { user } = await renderScreen(<ProfileScreen />, { server })
    await screen.findByText('Something broke.')
    server.answer(readProfile, makeProfile())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('list', { name: 'Passkeys' })).toBeTruthy()
  })

  it('reloads when the session changed elsewhere', async () => {
    const { server } = await show()
    server.answer(readProfile, makeProfile({ sessions: [...makeProfile().sessions, other] }))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"session"}' }))
    await waitFor(() =>
      expect(within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem')).toHaveLength(2),
    )
  })
})

describe('my passkeys', () => {
  it('can be added', async () => {
    const server = new FakeServer()
      .answer(startAddPasskey, { options: creation })
      .answer(finishAddPasskey, { passkey: phone })
    const { user } = await show({}, server)
    server.answer(readProfile, makeProfile({ passkeys: [laptop, phone] }))
    await user.click(screen.getByRole('button', { name: 'Add passkey' }))
    expect(await screen.findByText('Passkey added.')).toBeTruthy()
    expect(await within(screen.getByRole('list', { name: 'Passkeys' })).findByText('Phone')).toBeTruthy()
  })

  it('show why adding failed', async () => {
    passkeys.create.mockRejectedValueOnce(closedPrompt())
    const { user } = await show({}, new FakeServer().answer(startAddPasskey, { options: creation }))
    await user.click(screen.getByRole('button', { name: 'Add passkey' }))
    expect((await screen.findByRole('alert')).textContent).toContain('ERROR_CEREMONY_ABORTED')
  })

  it('can be renamed', async () => {
    const server = new FakeServer().answer(renamePasskey, { passkey: { ...laptop, name: 'Work laptop' } })
    const { user } = await show({}, server)
    await user.click(screen.getByRole('button', { name: 'Rename Laptop' }))
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'Work laptop')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Passkey renamed.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === renamePasskey)?.body).toEqual({ name: 'Work laptop' })
  })

  it('cannot be removed while there is only one', async () => {
    await show()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remove Laptop' }).disabled).toBe(true)
    expect(screen.getByText(/Your only passkey cannot be removed/)).toBeTruthy()
  })

  it('are removed after a confirmation, and show an error when that fails', async () => {
    const message = 'This is your only passkey. Add another one before you remove it.'
    const server = new FakeServer().answer(removePasskey, new Refusal(409, 'last_passkey', message))
    const { user } = await show({ passkeys: [laptop, phone] }, server)
    await user.click(screen.getByRole('button', { name: 'Remove Phone' }))
    const question = await screen.findByRole('alertdialog', { name: 'Remove Phone?' })
    await user.click(within(question).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText(message)).toBeTruthy()
    server.answer(removePasskey, done)
    await user.click(screen.getByRole('button', { name: 'Remove Phone' }))
    const again = await screen.findByRole('alertdialog', { name: 'Remove Phone?' })
    await user.click(within(again).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Passkey removed.')).toBeTruthy()
  })
})

describe('my sessions and browsers', () => {
  it('mark the current session and let me end the others', async () => {
    const server = new FakeServer().answer(endMySession, done)
    const { user } = await show({ sessions: [...makeProfile().sessions, other] }, server)
    expect(row('Sessions', 'Current').queryByRole('button')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'End other sessions' }))
    expect(await screen.findByText('Session ended.')).toBeTruthy()
    expect(server.callCount(endMySession)).toBe(1)
  })

  it('can be forgotten one by one', async () => {
    const server = new FakeServer().answer(revokeMyDevice, done)
    const { user } = await show({}, server)
    await user.click(screen.getByRole('button', { name: 'Forget Chrome on Linux' }))
    expect(await screen.findByText('Chrome on Linux was forgotten. Its next sign-in needs a device code.')).toBeTruthy()
  })
})

describe('my recovery codes', () => {
  it('are generated after a confirmation, shown once, and hidden when saved', async () => {
    const server = new FakeServer().answer(renewRecoveryCodes, { recoveryCodes: CODES })
    const { user } = await show({ recoveryCodesLeft: 1 }, server)
    expect(screen.getByText(/Only a few codes left/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Generate new codes' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Generate new codes' }))
    const dialog = await screen.findByRole('dialog', { name: 'Your new recovery codes' })
    expect(within(dialog).getByRole('list', { name: 'Recovery codes' }).children).toHaveLength(10)
    const close = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Done' })
    expect(close.disabled).toBe(true)
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Your new recovery codes' })).toBeTruthy()
    await user.click(within(dialog).getByRole('checkbox', { name: 'I saved these codes' }))
    await user.click(close)
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Your new recovery codes' })).toBeNull())
  })
})

describe('my authenticator app', () => {
  it('is replaced after a code from the new app is confirmed', async () => {
    const message = 'Incorrect code. Wait for the next code in your app and try again.'
    const server = new FakeServer()
      .answer(startAuthenticator, { mfa: { qrCodeDataURL: 'data:image/png;base64,AAAA', secret: 'JBSWY3DPEHPK3PXP' } })
      .answer(confirmAuthenticator, new Refusal(422, 'wrong_code', message))
    const { user } = await show({}, server)
    await user.click(screen.getByRole('button', { name: 'Replace' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace authenticator app' }))
    await user.click(dialog.getByRole('button', { name: 'Generate QR Code' }))
    expect(await dialog.findByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: "I've scanned" }))
    await user.type(dialog.getByLabelText('6-digit code'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Confirm code' }))
    expect(await dialog.findByText(message)).toBeTruthy()
    server.answer(confirmAuthenticator, done)
    await user.type(dialog.getByLabelText('6-digit code'), '654321')
    await user.click(dialog.getByRole('button', { name: 'Confirm code' }))
    expect(await screen.findByText('Authenticator app replaced.')).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: 'Replace authenticator app' })).toBeNull()
  })
})
