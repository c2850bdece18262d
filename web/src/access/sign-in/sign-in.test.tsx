// @module-tag slow
import {
  finalizeLogin,
  finishPasskeySetup,
  resendDeviceCode,
  SIGN_IN_FAILED,
  startPasskeySetup,
  startPasskeyStep,
  verifyCredentials,
  verifyDeviceAuth,
  verifyPasskey,
  verifyTwoFactor,
} from '@limber/contract/access/sign-in/sign-in.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { closedPrompt, creation, fakePasskeys, NoMessageRefusal, request } from '../access.testing.ts'
import SignInScreen from './sign-in.screen.tsx'

const EMAIL = 'dana.whitfield@example.com'
const next = (sessionToken: string) => ({ success: true as const, sessionToken, csrfToken: 'csrf' })
const begun = {
  userId: 'user-key',
  deviceId: 'device-key',
  sessionToken: 'token-1-aaaaaaaaaaaaaaaa',
  csrfToken: 'csrf',
  requiresPasskeySetup: false,
  requiresDeviceAuth: true,
  options: null,
  hasMailServer: true,
}
const wrong = new Refusal(401, 'sign_in_failed', SIGN_IN_FAILED)
const TOKENS = ['token-2-aaaaaaaaaaaaaaaa', 'token-3-aaaaaaaaaaaaaaaa', 'token-4-aaaaaaaaaaaaaaaa'] as const

/** A server that accepts every step. */
const makeServer = () =>
  new FakeServer()
    .answer(verifyCredentials, begun)
    .answer(verifyDeviceAuth, { ...next(TOKENS[0]), requiresPasskeySetup: false, options: request })
    .answer(startPasskeyStep, { options: request })
    .answer(verifyPasskey, { ...next(TOKENS[1]), requires2FA: true })
    .answer(verifyTwoFactor, next(TOKENS[2]))
    .answer(finalizeLogin, { success: true, workerId: 12 })

const show = (server: FakeServer) => renderScreen(<SignInScreen />, { server, session: null })
type User = Awaited<ReturnType<typeof show>>['user']

async function begin(user: User) {
  await user.type(screen.getByRole('textbox', { name: 'Email' }), EMAIL)
  await user.click(screen.getByRole('button', { name: 'Continue' }))
}
async function enter(user: User, code = '123456') {
  await user.type(await screen.findByLabelText('6-digit code'), code)
  await user.click(screen.getByRole('button', { name: 'Verify' }))
}
const heading = (name: string) => screen.findByRole('heading', { name })
const bodyOf = (server: FakeServer, call: object) => server.requests.findLast((one) => one.call === call)?.body

let passkeys: ReturnType<typeof fakePasskeys>
beforeEach(() => {
  passkeys = fakePasskeys()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a sign-in', () => {
  it('takes email, device code, passkey and 2FA code from a new browser', async () => {
    const server = makeServer()
    const { user } = await show(server)
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email' }))
    await begin(user)
    await heading('Device code')
    expect(document.activeElement).toBe(screen.getByLabelText('6-digit code'))
    await enter(user)
    await heading('Two-factor code')
    await enter(user, '654321')
    await waitFor(() => expect(location.pathname).toBe('/redirect'))
    expect(server.requests.map(({ call }) => call.path)).toEqual([
      '/api/auth/verify-credentials',
      '/api/auth/verify-device-auth',
      '/api/auth/verify-passkey',
      '/api/auth/verify-2fa',
      '/api/auth/finalize-login',
    ])
    expect(bodyOf(server, verifyDeviceAuth)).toEqual({
      email: EMAIL,
      code: '123456',
      deviceId: 'device-key',
      sessionToken: begun.sessionToken,
    })
    expect(bodyOf(server, verifyPasskey)).toMatchObject({ email: EMAIL, sessionToken: TOKENS[0] })
    expect(bodyOf(server, verifyTwoFactor)).toEqual({ userId: 'user-key', code: '654321', sessionToken: TOKENS[1] })
    expect(bodyOf(server, finalizeLogin)).toEqual({ userId: 'user-key', sessionToken: TOKENS[2] })
  })

  it('asks for no device code in a known browser', async () => {
    const server = makeServer().answer(verifyCredentials, { ...begun, requiresDeviceAuth: false, options: request })
    const { user } = await show(server)
    await begin(user)
    await heading('Two-factor code')
    expect(server.callCount(verifyDeviceAuth)).toBe(0)
  })

  it('sets up a passkey after the device code for a worker without one, then uses it', async () => {
    const server = makeServer()
      .answer(verifyDeviceAuth, { ...next(TOKENS[0]), requiresPasskeySetup: true, options: null })
      .answer(startPasskeySetup, { options: creation })
      .answer(finishPasskeySetup, { sessionToken: TOKENS[1], csrfToken: 'csrf', options: request })
    const { user } = await show(server)
    await begin(user)
    await enter(user)
    await user.click(await screen.findByRole('button', { name: 'Register Passkey' }))
    await heading('Two-factor code')
    expect(passkeys.create).toHaveBeenCalledOnce()
    expect(passkeys.get).toHaveBeenCalledOnce()
  })

  it('announces each step to screen readers', async () => {
    const { user } = await show(makeServer())
    await begin(user)
    await heading('Device code')
    expect(screen.getByText('Step 2 of 4: Device code').getAttribute('role')).toBe('status')
    expect(screen.getByRole('list', { name: 'Sign-in steps' }).querySelector('[aria-current]')?.textContent).toBe(
      'Device code',
    )
  })

  it('links to recovery', async () => {
    await show(makeServer())
    expect(screen.getByRole('link', { name: 'Recover access' }).getAttribute('href')).toBe('/recovery')
    expect(screen.getByRole('textbox', { name: 'Email' }).getAttribute('autocomplete')).toBe('username webauthn')
  })

  it('requires a valid email', async () => {
    const server = makeServer()
    const { user } = await show(server)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(screen.getByText('Email is required.')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'dana@example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(screen.getByText('Invalid email format.')).toBeTruthy()
    expect(server.requests).toEqual([])
  })
})

describe('a code', () => {
  it('takes exactly six digits', async () => {
    const { user } = await show(makeServer())
    await begin(user)
    const field = await screen.findByLabelText<HTMLInputElement>('6-digit code')
    const verify = screen.getByRole<HTMLButtonElement>('button', { name: 'Verify' })
    await user.type(field, '12ab3')
    expect(field.value).toBe('123')
    expect(verify.disabled).toBe(true)
    await user.clear(field)
    await user.click(field)
    await user.paste(' 123-456-789')
    expect(field.value).toBe('123456')
    expect(verify.disabled).toBe(false)
    expect(field.autocomplete).toBe('one-time-code')
  })

  it("shows the server's message when incorrect, is cleared and can be entered again", async () => {
    const server = makeServer().answer(verifyDeviceAuth, wrong)
    const { user } = await show(server)
    await begin(user)
    await enter(user)
    expect((await screen.findByRole('alert')).textContent).toBe(SIGN_IN_FAILED)
    const field = screen.getByLabelText<HTMLInputElement>('6-digit code')
    expect(field.value).toBe('')
    expect(document.activeElement).toBe(field)
  })

  it('can be resent after 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = makeServer().answer(resendDeviceCode, next(TOKENS[2]))
    const { user } = await show(server)
    await begin(user)
    const again = await screen.findByRole<HTMLButtonElement>('button', { name: /^Send again in/ })
    expect(again.disabled).toBe(true)
    act(() => void vi.advanceTimersByTime(31_000))
    await user.click(await screen.findByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText(/New code sent/)).toBeTruthy()
    await enter(user)
    await heading('Two-factor code')
    expect(bodyOf(server, verifyDeviceAuth)).toMatchObject({ sessionToken: TOKENS[2] })
  })
})

describe('without a mail server', () => {
  const COMMAND = 'npm run limber -- mail'

  it('names the command that shows the device code', async () => {
    const { user } = await show(makeServer().answer(verifyCredentials, { ...begun, hasMailServer: false }))
    await begin(user)
    await heading('Device code')
    expect(screen.getByText(COMMAND)).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/mailbox|mailed/)
    await enter(user)
    await heading('Two-factor code')
    expect(screen.queryByText(COMMAND)).toBeNull()
  })

  it('does not name it with a mail server', async () => {
    const { user } = await show(makeServer())
    await begin(user)
    await heading('Device code')
    expect(screen.queryByText(COMMAND)).toBeNull()
  })
})

describe('an ended sign-in', () => {
  it('returns to the email step after five failed attempts and keeps the email', async () => {
    const { user } = await show(makeServer().answer(verifyDeviceAuth, wrong))
    await begin(user)
    for (let tries = 1; tries <= 5; tries += 1) await enter(user)
    expect(await screen.findByText(/ended after five failed attempts/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe(EMAIL)
  })

  it('returns to the email step with a notice after ten minutes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user } = await show(makeServer())
    await begin(user)
    await heading('Device code')
    act(() => void vi.advanceTimersByTime(10 * 60_000))
    expect(await screen.findByText(/expired after ten minutes/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe(EMAIL)
  })

  it('lives for another ten minutes after the code is resent', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user } = await show(makeServer().answer(resendDeviceCode, next(TOKENS[2])))
    await begin(user)
    await heading('Device code')
    act(() => void vi.advanceTimersByTime(9 * 60_000))
    await user.click(await screen.findByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText(/New code sent/)).toBeTruthy()
    act(() => void vi.advanceTimersByTime(9 * 60_000))
    expect(screen.queryByText(/expired after ten minutes/)).toBeNull()
    act(() => void vi.advanceTimersByTime(60_000))
    expect(await screen.findByText(/expired after ten minutes/)).toBeTruthy()
  })

  it('can be restarted, even while the passkey prompt is open', async () => {
    passkeys.get.mockImplementation(() => new Promise(() => undefined))
    const { user } = await show(makeServer())
    await begin(user)
    await enter(user)
    await heading('Passkey')
    expect(screen.getByRole('button', { name: 'Waiting for your passkey' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Start over' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe(EMAIL)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('differs from an ended session', async () => {
    await renderScreen(<SignInScreen hasEnded />, { server: makeServer(), session: null })
    expect(screen.getByText(/Your session ended/)).toBeTruthy()
  })
})

describe('a passkey', () => {
  it('can be tried again with the same challenge after a closed prompt', async () => {
    passkeys.get.mockRejectedValueOnce(closedPrompt())
    const server = makeServer()
    const { user } = await show(server)
    await begin(user)
    await enter(user)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The passkey prompt was closed or took too long.')
    expect(alert.textContent).toContain('ERROR_CEREMONY_ABORTED')
    await user.click(screen.getByRole('button', { name: 'Use passkey' }))
    await heading('Two-factor code')
    expect(server.callCount(startPasskeyStep)).toBe(0)
  })

  it('needs a new challenge after a refusal', async () => {
    let isFirst = true
    const server = makeServer().answer(verifyPasskey, () => {
      if (!isFirst) return { ...next(TOKENS[1]), requires2FA: true as const }
      isFirst = false
      return wrong
    })
    const { user } = await show(server)
    await begin(user)
    await enter(user)
    expect((await screen.findByRole('alert')).textContent).toBe(SIGN_IN_FAILED)
    await user.click(screen.getByRole('button', { name: 'Use passkey' }))
    await heading('Two-factor code')
    expect(server.callCount(startPasskeyStep)).toBe(1)
  })

  it('shows that the device does not support passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    const { user } = await show(makeServer())
    await begin(user)
    await enter(user)
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This device does not support passkeys. Use a passkey-compatible device.',
    )
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use passkey' }).disabled).toBe(true)
  })
})

describe('a failed reply without a message', () => {
  const alert = async () => (await screen.findByRole('alert')).textContent

  it('shows the fallback text of the step', async () => {
    const server = makeServer().answer(verifyCredentials, new NoMessageRefusal())
    const { user } = await show(server)
    await begin(user)
    expect(await alert()).toContain('Failed to verify credentials')
    server.answer(verifyCredentials, begun).answer(verifyDeviceAuth, new NoMessageRefusal())
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await enter(user)
    expect(await alert()).toContain('Failed to verify device auth code')
    server
      .answer(verifyDeviceAuth, { ...next(TOKENS[0]), requiresPasskeySetup: true, options: null })
      .answer(startPasskeySetup, new NoMessageRefusal())
    await enter(user)
    await user.click(await screen.findByRole('button', { name: 'Register Passkey' }))
    expect(await alert()).toContain('Failed to start passkey setup')
    server.answer(startPasskeySetup, { options: creation }).answer(finishPasskeySetup, new NoMessageRefusal())
    await user.click(screen.getByRole('button', { name: 'Register Passkey' }))
    await waitFor(async () => expect(await alert()).toContain('Failed to complete passkey setup'))
    server
      .answer(finishPasskeySetup, { sessionToken: TOKENS[1], csrfToken: 'csrf', options: request })
      .answer(verifyPasskey, new NoMessageRefusal())
    await user.click(screen.getByRole('button', { name: 'Register Passkey' }))
    await waitFor(async () => expect(await alert()).toContain('Failed to verify passkey'))
    server
      .answer(verifyPasskey, { ...next(TOKENS[1]), requires2FA: true })
      .answer(verifyTwoFactor, new NoMessageRefusal())
    await user.click(screen.getByRole('button', { name: 'Use passkey' }))
    await heading('Two-factor code')
    await enter(user)
    expect(await alert()).toContain('Failed to verify 2FA code')
    server.answer(verifyTwoFactor, next(TOKENS[2])).answer(finalizeLogin, new NoMessageRefusal())
    await enter(user)
    await waitFor(async () => expect(await alert()).toContain('Failed to finalize login'))
  })

  it('shows that the server is unreachable and does not ask for a confirmed code again', async () => {
    const server = makeServer().answer(verifyCredentials, { ...begun, requiresDeviceAuth: false, options: request })
    const { user } = await show(server)
    await begin(user)
    await heading('Two-factor code')
    server.answer(finalizeLogin, () => {
      server.isDown = true
      return new NoMessageRefusal()
    })
    await enter(user)
    expect(await alert()).toContain('Failed to finalize login')
    server.isDown = false
    server.answer(finalizeLogin, { success: true, workerId: 12 })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(location.pathname).toBe('/redirect'))
    expect(server.callCount(verifyTwoFactor)).toBe(1)
  })

  it('offers to retry the last call, and starts over once the sign-in has ended', async () => {
    const server = makeServer().answer(finalizeLogin, new Refusal(500, 'internal', 'Something went wrong.'))
    const { user } = await show(server)
    await begin(user)
    await enter(user)
    await heading('Two-factor code')
    await enter(user, '654321')
    await heading('Almost signed in')
    expect(await alert()).toBe('Something went wrong.')
    expect(screen.queryByLabelText('6-digit code')).toBeNull()
    server.answer(finalizeLogin, wrong)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(/This sign-in has ended/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe(EMAIL)
    server.answer(finalizeLogin, { success: true, workerId: 12 })
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await enter(user)
    await heading('Two-factor code')
    await enter(user)
    await waitFor(() => expect(location.pathname).toBe('/redirect'))
  })

  it('shows how long to wait after too many attempts', async () => {
    const slow = new Refusal(429, 'slow_down', 'Too many failed attempts. Wait a moment and try again.')
    Object.assign(slow.reply, { headers: { 'Retry-After': '40' } })
    const { user } = await show(makeServer().answer(verifyCredentials, slow))
    await begin(user)
    expect(await alert()).toContain('Try again in 40 seconds.')
  })
})
