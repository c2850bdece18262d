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
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { CODES, closedPrompt, creation, fakePasskeys, NoMessageRefusal } from '../access.testing.ts'
import OnboardingScreen from './onboarding.screen.tsx'

const BAD_LINK = 'Invalid onboarding link. Please request a new one.'
const fresh = { hasPasskey: false, has2FA: false, hasMultiDeviceAuth: false }
const link = {
  ...fresh,
  message: 'The link is good.',
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  isRecovery: false,
  passkeys: 0,
}
const withPasskey = { success: true as const, ...fresh, hasPasskey: true }
const withCode = { ...withPasskey, has2FA: true }
const withAll = { ...withCode, hasMultiDeviceAuth: true }
const signedOut = new Refusal(401, 'no_session', 'Sign in to continue.')

/** A server with a link at a stage, which accepts every step. */
const makeServer = (status: Partial<typeof link> = {}) =>
  new FakeServer()
    .answer(checkSession, signedOut)
    .answer(verifyOnboarding, { ...link, ...status })
    .answer(startOnboardingPasskey, { options: creation })
    .answer(finishOnboardingPasskey, withPasskey)
    .answer(setMfa, { mfa: { qrCodeDataURL: 'data:image/png;base64,AAAA', secret: 'JBSWY3DPEHPK3PXP' } })
    .answer(confirmMfa, withCode)
    .answer(enableMultiDevice, withAll)
    .answer(finalizeOnboarding, { worker: { id: 12, role: null }, recoveryCodes: CODES })

async function open(server: FakeServer, address = '/onboarding?token=secret-token') {
  window.history.replaceState(null, '', address)
  return renderScreen(<OnboardingScreen />, { server, session: null })
}
const button = (name: string) => screen.findByRole('button', { name })
const alert = async () => (await screen.findByRole('alert')).textContent
const current = () =>
  screen.getByRole('list', { name: 'Onboarding steps' }).querySelector('[aria-current]')?.textContent

let passkeys: ReturnType<typeof fakePasskeys>
beforeEach(() => {
  passkeys = fakePasskeys()
})

describe('an onboarding link', () => {
  it('goes through passkey, 2FA and multi-device to the worker ID', async () => {
    const server = makeServer()
    const { user } = await open(server)
    await screen.findByRole('heading', { name: 'Set Up Passkey' })
    expect(screen.getByText('dana@example.com')).toBeTruthy()
    expect(screen.getByRole('list', { name: 'Onboarding steps' }).textContent).toBe('VerifyPasskey2FAMulti-Device')
    expect(current()).toBe('Passkey')
    await user.click(await button('Register Passkey'))

    await screen.findByRole('heading', { name: 'Set Up Two-Factor Authentication' })
    expect(current()).toBe('2FA')
    await user.click(await button('Generate QR Code'))
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    await user.click(await button("I've scanned"))
    await user.type(screen.getByLabelText('6-digit code'), '123456')
    await user.click(await button('Confirm code'))

    await screen.findByRole('heading', { name: 'Enable Multi-Device Authentication' })
    expect(current()).toBe('Multi-Device')
    await user.click(await button('Enable Multi-Device Authentication'))
    await screen.findByRole('heading', { name: 'Complete Onboarding' })
    await user.click(await button('Complete Onboarding'))

    await screen.findByRole('heading', { name: 'Onboarding Complete' })
    expect(screen.getByText('Worker ID').nextElementSibling?.textContent).toBe('12')
    expect(
      server.requests.every(({ body, call }) => call === checkSession || JSON.stringify(body).includes('secret-token')),
    ).toBe(true)
  })

  it('leaves the URL immediately and survives a reload of the tab', async () => {
    const server = makeServer()
    const { unmount } = await open(server)
    await button('Register Passkey')
    expect(location.href).toBe('http://localhost:3000/onboarding')
    unmount()
    await open(makeServer({ ...fresh, hasPasskey: true, passkeys: 1 }), '/onboarding')
    expect(await button('Generate QR Code')).toBeTruthy()
  })

  it('opens at its current step', async () => {
    const { unmount } = await open(makeServer({ hasPasskey: true, has2FA: true }))
    expect(await button('Enable Multi-Device Authentication')).toBeTruthy()
    unmount()
    await open(makeServer({ hasPasskey: true, has2FA: true, hasMultiDeviceAuth: true }))
    expect(await button('Complete Onboarding')).toBeTruthy()
  })

  it('says what a recovery ends', async () => {
    await open(makeServer({ isRecovery: true }))
    expect(await screen.findByText(/your old passkeys stop working/)).toBeTruthy()
  })

  it('offers a second passkey before completion', async () => {
    const server = makeServer({ hasPasskey: true, has2FA: true, hasMultiDeviceAuth: true, passkeys: 1 })
    const { user } = await open(server.answer(finishOnboardingPasskey, withAll))
    await user.click(await button('Add another passkey'))
    expect(await screen.findByText('2 passkeys are registered.')).toBeTruthy()
  })

  it('is invalid without a token and sends nothing', async () => {
    const server = makeServer()
    await open(server, '/onboarding')
    expect(await alert()).toBe(BAD_LINK)
    expect(server.requests).toEqual([])
    expect(screen.getByRole('link', { name: 'Back to sign-in' })).toBeTruthy()
  })

  it("shows the server's message when it is invalid", async () => {
    await open(makeServer().answer(verifyOnboarding, new Refusal(401, 'bad_link', BAD_LINK)))
    expect(await alert()).toBe(BAD_LINK)
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it('can be retried after a server error', async () => {
    const server = makeServer().answer(verifyOnboarding, new Refusal(500, 'internal', 'Something went wrong.'))
    const { user } = await open(server)
    expect(await alert()).toBe('Something went wrong.')
    server.answer(verifyOnboarding, link)
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Set Up Passkey' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows the current step after progress on another device', async () => {
    const server = makeServer().answer(
      startOnboardingPasskey,
      new Refusal(409, 'has_passkey', 'A passkey is already registered. Continue with the next step.'),
    )
    const { user } = await open(server)
    const register = await button('Register Passkey')
    server.answer(verifyOnboarding, { ...link, hasPasskey: true, passkeys: 1 })
    await user.click(register)
    expect(await button('Generate QR Code')).toBeTruthy()
  })
})

describe('the recovery codes', () => {
  async function complete() {
    const view = await open(makeServer({ hasPasskey: true, has2FA: true, hasMultiDeviceAuth: true }))
    await view.user.click(await button('Complete Onboarding'))
    await screen.findByRole('heading', { name: 'Onboarding Complete' })
    return view
  }

  it('are shown once, and the button to continue opens when they are saved', async () => {
    const { user } = await complete()
    expect(screen.getByRole('list', { name: 'Recovery codes' }).querySelectorAll('code')).toHaveLength(10)
    const goOn = screen.getByRole<HTMLButtonElement>('button', { name: 'Go to Worker Profile' })
    expect(goOn.disabled).toBe(true)
    await user.click(screen.getByRole('checkbox', { name: 'I saved these codes' }))
    await user.click(goOn)
    await waitFor(() => expect(location.pathname).toBe('/dashboard/worker-profile'))
    expect(sessionStorage.getItem('limber.link.token')).toBeNull()
  })

  it('can be copied and downloaded', async () => {
    const { user } = await complete()
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'))
    const make = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:codes')
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await user.click(screen.getByRole('button', { name: 'Download' }))
    expect(click).toHaveBeenCalledOnce()
    const file = make.mock.calls[0]?.[0] as Blob
    expect(await file.text()).toContain(CODES[9])
  })
})

describe('a failed step', () => {
  const stages = { passkey: {}, code: { hasPasskey: true }, devices: { hasPasskey: true, has2FA: true } }

  it("shows the browser's passkey error", async () => {
    passkeys.create.mockRejectedValueOnce(closedPrompt())
    const { user } = await open(makeServer())
    await user.click(await button('Register Passkey'))
    expect(await alert()).toContain('ERROR_CEREMONY_ABORTED')
  })

  it('says that passkey setup failed for an unknown reason', async () => {
    passkeys.create.mockRejectedValueOnce(new Error('odd'))
    const { user } = await open(makeServer())
    await user.click(await button('Register Passkey'))
    expect(await alert()).toContain('Passkey setup failed')
  })

  it.each([
    ['Failed to start passkey registration', startOnboardingPasskey, stages.passkey, 'Register Passkey'],
    ['Failed to complete passkey registration', finishOnboardingPasskey, stages.passkey, 'Register Passkey'],
    ['Failed to set up 2FA', setMfa, stages.code, 'Generate QR Code'],
    ['Failed to enable multi-device auth', enableMultiDevice, stages.devices, 'Enable Multi-Device Authentication'],
    [
      'Failed to complete onboarding',
      finalizeOnboarding,
      { ...stages.devices, hasMultiDeviceAuth: true },
      'Complete Onboarding',
    ],
  ])('shows the fallback text: %s', async (text, call, stage, name) => {
    const { user } = await open(makeServer(stage).answer(call, new NoMessageRefusal()))
    await user.click(await button(name))
    expect(await alert()).toContain(text)
  })

  it('is not retried automatically when the last step got no reply, and says that the account may be ready', async () => {
    const stage = { ...stages.devices, hasMultiDeviceAuth: true }
    const server = makeServer(stage).answer(finalizeOnboarding, new NoMessageRefusal())
    const { user } = await open(server)
    await user.click(await button('Complete Onboarding'))
    const hint = () => screen.getByText(/^Your account may be ready\. Try to/)
    await waitFor(() =>
      expect(hint().textContent).toContain('sign in. You can generate new recovery codes in your profile.'),
    )
    expect(server.callCount(finalizeOnboarding)).toBe(1)
    // The first call succeeded, so the link is used, not invalid.
    server.answer(finalizeOnboarding, new Refusal(401, 'bad_link', BAD_LINK))
    await user.click(await button('Complete Onboarding'))
    await waitFor(() => expect(server.callCount(finalizeOnboarding)).toBe(2))
    await waitFor(() => expect(hint()).toBeTruthy())
  })

  it('shows the fallback text when the link cannot be checked', async () => {
    const server = makeServer()
    server.answer(verifyOnboarding, new NoMessageRefusal(500))
    await open(server)
    expect(await alert()).toContain('Failed to verify token')
  })

  it('shows an incorrect code and offers a new QR code', async () => {
    const message = 'Incorrect code. Wait for the next code in your app and try again.'
    const server = makeServer(stages.code).answer(confirmMfa, new Refusal(401, 'wrong_code', message))
    const { user } = await open(server)
    await user.click(await button('Generate QR Code'))
    await user.click(await button("I've scanned"))
    await user.type(screen.getByLabelText('6-digit code'), '123456')
    await user.click(await button('Confirm code'))
    expect(await alert()).toBe(message)
    await user.click(await button('Generate a new QR code'))
    expect(await button("I've scanned")).toBeTruthy()
    expect(server.callCount(setMfa)).toBe(2)
  })
})

describe('a busy button', () => {
  it.each([
    ['Setting up', startOnboardingPasskey, {}, 'Register Passkey'],
    ['Generating', setMfa, { hasPasskey: true }, 'Generate QR Code'],
    ['Enabling', enableMultiDevice, { hasPasskey: true, has2FA: true }, 'Enable Multi-Device Authentication'],
    [
      'Finalizing',
      finalizeOnboarding,
      { hasPasskey: true, has2FA: true, hasMultiDeviceAuth: true },
      'Complete Onboarding',
    ],
  ])('shows: %s', async (text, call, stage, name) => {
    const { user } = await open(makeServer(stage).answer(call, () => new Promise<never>(() => undefined)))
    await user.click(await button(name))
    expect((await button(text)).getAttribute('aria-disabled')).toBe('true')
  })
})
