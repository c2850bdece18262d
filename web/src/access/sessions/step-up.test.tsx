import { renewRecoveryCodes } from '@limber/contract/access/profile/profile.ts'
import { finishStepUp, startStepUp } from '@limber/contract/access/sessions/session.ts'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { messageOf, send } from '#platform/api/api.ts'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { CODES, closedPrompt, fakePasskeys, request } from '../access.testing.ts'
import { StepUpHost } from './step-up-host.tsx'

const needed = new Refusal(403, 'step_up_required', 'Confirm with your passkey to continue.')

function Careful() {
  const [message, setMessage] = useState('')
  const act = () =>
    send(renewRecoveryCodes, { body: {} }).then(
      () => setMessage('done'),
      (error: unknown) => setMessage(messageOf(error)),
    )
  return (
    <>
      <button type="button" onClick={() => void act()}>
        Act
      </button>
      <p>{message}</p>
      <StepUpHost />
    </>
  )
}

/** A server that requires step-up first. */
function careful() {
  let isProven = false
  return new FakeServer()
    .answer(renewRecoveryCodes, () => (isProven ? { recoveryCodes: CODES } : needed))
    .answer(startStepUp, { options: request })
    .answer(finishStepUp, () => {
      isProven = true
      return { success: true as const, csrfToken: 'fresh', steppedUpUntil: '2026-11-14T17:10:00.000Z' }
    })
}

let passkeys: ReturnType<typeof fakePasskeys>
beforeEach(() => {
  passkeys = fakePasskeys()
})

describe('a call that requires step-up', () => {
  it('asks for the passkey and is retried', async () => {
    const server = careful()
    const { user } = await renderScreen(<Careful />, { server })
    await user.click(screen.getByRole('button', { name: 'Act' }))
    expect(await screen.findByRole('dialog', { name: 'Confirm with your passkey' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Use passkey' }))
    expect(await screen.findByText('done')).toBeTruthy()
    expect(server.callCount(renewRecoveryCodes)).toBe(2)
  })

  it('is not retried when the user cancels, and the next call asks again', async () => {
    const server = careful()
    const { user } = await renderScreen(<Careful />, { server })
    await user.click(screen.getByRole('button', { name: 'Act' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(
      await screen.findByText('Confirm with your passkey to continue.', { selector: 'p:not([class])' }),
    ).toBeTruthy()
    expect(server.callCount(startStepUp)).toBe(0)
    await user.click(screen.getByRole('button', { name: 'Act' }))
    await user.click(await screen.findByRole('button', { name: 'Use passkey' }))
    expect(await screen.findByText('done')).toBeTruthy()
  })

  it('keeps the dialog open when the passkey prompt was closed', async () => {
    passkeys.get.mockRejectedValueOnce(closedPrompt())
    const { user } = await renderScreen(<Careful />, { server: careful() })
    await user.click(screen.getByRole('button', { name: 'Act' }))
    await user.click(await screen.findByRole('button', { name: 'Use passkey' }))
    expect((await screen.findByRole('alert')).textContent).toContain('ERROR_CEREMONY_ABORTED')
    await user.click(screen.getByRole('button', { name: 'Use passkey' }))
    await waitFor(() => expect(screen.getByText('done')).toBeTruthy())
  })
})
