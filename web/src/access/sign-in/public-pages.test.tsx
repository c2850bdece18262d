// @module-tag slow
import {
  RECOVERY_REDEEMED,
  RECOVERY_REDEEMED_WITHOUT_MAIL,
  RECOVERY_REQUESTED,
  redeemRecoveryCode,
  requestRecovery,
} from '@limber/contract/access/recovery/recovery.ts'
import { signInToSample } from '@limber/contract/access/sign-in/sign-in.ts'
import { screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { NoMessageRefusal } from '../access.testing.ts'
import Recovery from '../recovery/recovery.screen.tsx'
import SampleSignIn from './sample-sign-in.screen.tsx'

const EMAIL = 'dana@example.com'
const mailed = { success: true as const, hasMailServer: true }

async function recover(server: FakeServer) {
  const view = await renderScreen(<Recovery />, { server, session: null })
  await view.user.type(screen.getByRole('textbox', { name: 'Email' }), EMAIL)
  await view.user.click(screen.getByRole('button', { name: 'Continue' }))
  return view
}

describe('recovery of access', () => {
  it('gives the same reply for every recovery code', async () => {
    const server = new FakeServer().answer(redeemRecoveryCode, { ...mailed, message: RECOVERY_REDEEMED })
    const { user } = await recover(server)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use recovery code' }).disabled).toBe(true)
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'aaaa-bbbb')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect(await screen.findByText(RECOVERY_REDEEMED)).toBeTruthy()
    expect(server.requests[0]?.body).toEqual({ email: EMAIL, code: 'aaaa-bbbb' })
  })

  it('gives the same reply for every email when a colleague is asked', async () => {
    const server = new FakeServer().answer(requestRecovery, { ...mailed, message: RECOVERY_REQUESTED })
    const { user } = await recover(server)
    await user.click(screen.getByRole('button', { name: 'Ask a colleague to approve' }))
    expect(await screen.findByText(RECOVERY_REQUESTED)).toBeTruthy()
    expect(server.requests[0]?.body).toEqual({ email: EMAIL })
  })

  it('lets the user correct a mistyped code without entering the email again', async () => {
    const server = new FakeServer().answer(redeemRecoveryCode, { ...mailed, message: RECOVERY_REDEEMED })
    const { user } = await recover(server)
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'aaaa-bbbc')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    await user.click(await screen.findByRole('button', { name: 'Check the code and try again' }))
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Recovery code' })
    expect(field.value).toBe('aaaa-bbbc')
    await user.type(field, '{Backspace}b')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect(await screen.findByText(RECOVERY_REDEEMED)).toBeTruthy()
    expect(server.requests.at(-1)?.body).toEqual({ email: EMAIL, code: 'aaaa-bbbb' })
  })

  it('names the command that shows the link when there is no mail server', async () => {
    const reply = { success: true as const, message: RECOVERY_REDEEMED_WITHOUT_MAIL, hasMailServer: false }
    const { user } = await recover(new FakeServer().answer(redeemRecoveryCode, reply))
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'aaaa-bbbb')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect(await screen.findByText('npm run limber -- mail')).toBeTruthy()
    expect(document.body.textContent).not.toContain('mailbox')
  })

  it('sends nothing when an email is entered', async () => {
    const server = new FakeServer()
    await recover(server)
    expect(server.requests).toEqual([])
  })

  it('shows when sending failed, and keeps the code', async () => {
    const server = new FakeServer().answer(redeemRecoveryCode, new NoMessageRefusal())
    const { user } = await recover(server)
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'AAAA')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't send the recovery code")
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Recovery code' }).value).toBe('AAAA')
  })
})

describe('the sign-in link of the sample company', () => {
  const KEY = 'a-key-of-twenty-letters'
  const knock = (server: FakeServer, address = `/sample-door?key=${KEY}`) => {
    window.history.replaceState(null, '', address)
    return renderScreen(
      <StrictMode>
        <SampleSignIn />
      </StrictMode>,
      { server, session: null },
    )
  }

  it('removes the key from the URL, uses it once and continues', async () => {
    const server = new FakeServer().answer(signInToSample, { success: true, workerId: 1 })
    await knock(server)
    await waitFor(() => expect(location.pathname).toBe('/redirect'))
    expect(location.search).toBe('')
    expect(server.callCount(signInToSample)).toBe(1)
    expect(server.requests[0]?.body).toEqual({ key: KEY })
    expect(sessionStorage.getItem('limber.link.key')).toBeNull()
  })

  it('says that a key was used or expired, and links to sign-in', async () => {
    const message = 'This link was already used or has expired. Restart Limber to get a new one.'
    await knock(new FakeServer().answer(signInToSample, new Refusal(401, 'door_closed', message)))
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/')
  })

  it('says that it only works for the sample company', async () => {
    await knock(new FakeServer().answer(signInToSample, new Refusal(404, 'not_found', 'Not found. Check the address.')))
    expect((await screen.findByRole('alert')).textContent).toContain('This link only works for the sample company')
  })

  it('says that a link without a key is incomplete', async () => {
    await knock(new FakeServer(), '/sample-door')
    expect((await screen.findByRole('alert')).textContent).toContain('is incomplete')
  })
})
