import { endMySession } from '@limber/contract/access/profile/profile.ts'
import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { toast, toastFailure } from './toast-store.ts'

const later = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

describe('a toast', () => {
  it('disappears after five seconds, while a failure stays', async () => {
    await renderScreen(<p>Page</p>)
    vi.useFakeTimers()
    act(() => void toast('Session scheduled!'))
    act(
      () =>
        void toastFailure('Failed to update status', new CallFailure(409, { error: 'It is closed.', code: 'closed' })),
    )
    expect(screen.getByRole('status').textContent).toContain('Session scheduled!')
    expect(screen.getByRole('alert').textContent).toContain('It is closed.')
    later(4_900)
    expect(screen.queryByText('Session scheduled!')).toBeTruthy()
    later(200)
    expect(screen.queryByText('Session scheduled!')).toBeNull()
    later(60_000)
    expect(screen.getByRole('alert')).toBeTruthy()
    vi.useRealTimers()
  })

  it('has Undo and Retry, and can be dismissed', async () => {
    const undo = vi.fn()
    const { user } = await renderScreen(<p>Page</p>)
    act(() => void toast('Lead removed.', { action: { label: 'Undo', run: undo } }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(undo).toHaveBeenCalledOnce()
    expect(screen.queryByText('Lead removed.')).toBeNull()
    act(() => void toastFailure('Failed to save'))
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('stays while hovered', async () => {
    const { user } = await renderScreen(<p>Page</p>)
    act(() => void toast('Read me'))
    await user.hover(screen.getByText('Read me'))
    vi.useFakeTimers()
    later(30_000)
    expect(screen.getByText('Read me')).toBeTruthy()
    vi.useRealTimers()
  })

  it('about a failed change disappears only when the same change succeeds', async () => {
    const server = new FakeServer().answer(endMySession, new Refusal(500, 'internal', 'Something went wrong.'))
    await renderScreen(<p>Page</p>, { server })
    const end = (id: string) =>
      act(async () => {
        await send(endMySession, { params: { id } }).catch((error: unknown) => toastFailure('Still signed in', error))
      })
    await end('1')
    expect(screen.getByRole('alert').textContent).toContain('Still signed in')
    server.answer(endMySession, { success: true })
    await end('2')
    expect(screen.queryByRole('alert')).toBeTruthy()
    await end('1')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is shown once when the same message repeats', async () => {
    await renderScreen(<p>Page</p>)
    act(() => {
      for (let time = 0; time < 9; time += 1) toastFailure('The server is busy')
    })
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })
})
