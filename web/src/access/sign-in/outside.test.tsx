// @module-tag slow
import {
  RECOVERY_REDEEMED,
  RECOVERY_REDEEMED_HERE,
  RECOVERY_REQUESTED,
  redeemRecoveryCode,
  requestRecovery,
} from '@limber/contract/access/recovery/recovery.ts'
import { openSampleDoor } from '@limber/contract/access/sign-in/sign-in.ts'
import { screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { Wordless } from '../access.testing.ts'
import Recovery from '../recovery/recovery.screen.tsx'
import SampleDoor from './sample-door.screen.tsx'

const EMAIL = 'dana@example.com'
const mailed = { success: true as const, hasMailServer: true }

async function recover(server: FakeServer) {
  const view = await renderScreen(<Recovery />, { server, session: null })
  await view.user.type(screen.getByRole('textbox', { name: 'Email' }), EMAIL)
  await view.user.click(screen.getByRole('button', { name: 'Continue' }))
  return view
}

describe('whoever lost access', () => {
  it('uses a recovery code, and is sent to the mailbox whatever came of it', async () => {
    const server = new FakeServer().answer(redeemRecoveryCode, { ...mailed, message: RECOVERY_REDEEMED })
    const { user } = await recover(server)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use recovery code' }).disabled).toBe(true)
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'aaaa-bbbb')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect(await screen.findByText(RECOVERY_REDEEMED)).toBeTruthy()
    expect(server.requests[0]?.body).toEqual({ email: EMAIL, code: 'aaaa-bbbb' })
  })

  it('or asks a colleague, and gets the same answer for every address', async () => {
    const server = new FakeServer().answer(requestRecovery, { ...mailed, message: RECOVERY_REQUESTED })
    const { user } = await recover(server)
    await user.click(screen.getByRole('button', { name: 'Ask a colleague to approve' }))
    expect(await screen.findByText(RECOVERY_REQUESTED)).toBeTruthy()
    expect(server.requests[0]?.body).toEqual({ email: EMAIL })
  })

  it('may have mistyped the code, and tries another without typing the address again', async () => {
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

  it('is promised no mail where there is no mail server, but told the command that shows the link', async () => {
    const reply = { success: true as const, message: RECOVERY_REDEEMED_HERE, hasMailServer: false }
    const { user } = await recover(new FakeServer().answer(redeemRecoveryCode, reply))
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'aaaa-bbbb')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect(await screen.findByText('npm run limber -- mail')).toBeTruthy()
    expect(document.body.textContent).not.toContain('mailbox')
  })

  it('asks nothing of the server by typing an address', async () => {
    const server = new FakeServer()
    await recover(server)
    expect(server.requests).toEqual([])
  })

  it('is told when nothing was sent, and keeps the code', async () => {
    const server = new FakeServer().answer(redeemRecoveryCode, new Wordless())
    const { user } = await recover(server)
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'AAAA')
    await user.click(screen.getByRole('button', { name: 'Use recovery code' }))
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't send the recovery code")
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Recovery code' }).value).toBe('AAAA')
  })
})

describe('the sample door', () => {
  const KEY = 'a-key-of-twenty-letters'
  const knock = (server: FakeServer, address = `/sample-door?key=${KEY}`) => {
    window.history.replaceState(null, '', address)
    return renderScreen(
      <StrictMode>
        <SampleDoor />
      </StrictMode>,
      { server, session: null },
    )
  }

  it('takes the key once, out of the address, and goes on', async () => {
    const server = new FakeServer().answer(openSampleDoor, { success: true, workerId: 1 })
    await knock(server)
    await waitFor(() => expect(location.pathname).toBe('/redirect'))
    expect(location.search).toBe('')
    expect(server.callCount(openSampleDoor)).toBe(1)
    expect(server.requests[0]?.body).toEqual({ key: KEY })
    expect(sessionStorage.getItem('limber.link.key')).toBeNull()
  })

  it('says that a key is used or old, and leads to sign-in', async () => {
    const words = 'This link was already used or has expired. Restart Limber to get a new one.'
    await knock(new FakeServer().answer(openSampleDoor, new Refusal(401, 'door_closed', words)))
    expect((await screen.findByRole('alert')).textContent).toBe(words)
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/')
  })

  it('says that there is no door here', async () => {
    await knock(new FakeServer().answer(openSampleDoor, new Refusal(404, 'not_found', 'There is nothing here.')))
    expect((await screen.findByRole('alert')).textContent).toContain('This link only works for the sample company')
  })

  it('says that a link without a key is none', async () => {
    await knock(new FakeServer(), '/sample-door')
    expect((await screen.findByRole('alert')).textContent).toContain('is incomplete')
  })
})
