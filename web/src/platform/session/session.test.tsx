import { checkSession, signOut } from '@limber/contract/access/sessions/session.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { useLiveRefresh } from '../live/live.ts'
import { FakeEventSource, FakeServer, makeSession, renderScreen } from '../testing/testing.tsx'
import { Can, hasAccess, sessionQuery, useCan, useSignOut } from './session.tsx'

function Panel() {
  const may = useCan('payroll.settings')
  const leave = useSignOut()
  return (
    <>
      <p>{may ? 'may change' : 'may not change'}</p>
      <Can permission={['payroll.summary', 'payroll.details']}>
        <p>payroll</p>
      </Can>
      <button type="button" onClick={() => leave.mutate()}>
        Leave
      </button>
    </>
  )
}

describe('permissions', () => {
  it('accept codes as numbers and as digits', () => {
    const session = makeSession([])
    const workerWith = (...codes: unknown[]) => ({
      ...session,
      worker: { ...session.worker, permissions: codes as string[] },
    })
    expect(hasAccess(workerWith(102), 'payroll.settings')).toBe(true)
    expect(hasAccess(workerWith('102'), 'payroll.settings')).toBe(true)
    expect(hasAccess(workerWith('0102', 'payroll.settings', ''), 'payroll.settings')).toBe(false)
    expect(hasAccess(workerWith('initiate_backups'), 'backups.initiate')).toBe(true)
    expect(hasAccess(workerWith(), 'signed-in')).toBe(true)
    expect(hasAccess(null, 'signed-in')).toBe(false)
  })

  it('show and hide parts of a screen, with any one of several', async () => {
    await renderScreen(<Panel />, { session: makeSession(['payroll.details']) })
    expect(screen.getByText('may not change')).toBeTruthy()
    expect(screen.getByText('payroll')).toBeTruthy()
  })

  it('update when the server says that the session changed', async () => {
    const server = new FakeServer()
    await renderScreen(<Panel />, { server, session: makeSession([]) })
    expect(screen.queryByText('payroll')).toBeNull()
    server.answer(checkSession, makeSession(['payroll.settings', 'payroll.summary']))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"session"}' }))
    expect(await screen.findByText('may change')).toBeTruthy()
  })
})

describe('signing out', () => {
  it('ends the session on the server, then locally, and closes the live stream', async () => {
    const server = new FakeServer().answer(signOut, { success: true })
    const { user, cache } = await renderScreen(<Panel />, { server, session: makeSession(['payroll.settings']) })
    const stream = FakeEventSource.last
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    await screen.findByText('may not change')
    expect(cache.getQueryData(sessionQuery.queryKey)).toBeNull()
    expect(stream.isClosed).toBe(true)
    expect(server.callCount(signOut)).toBe(1)
  })

  it('keeps the selected theme although the server clears the storage', async () => {
    localStorage.setItem('limber.theme', 'dark')
    localStorage.setItem('limber.letter-keys', 'off')
    const server = new FakeServer().answer(signOut, () => {
      localStorage.clear()
      return { success: true as const }
    })
    const { user } = await renderScreen(<Panel />, { server, session: makeSession(['payroll.settings']) })
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    await screen.findByText('may not change')
    expect(localStorage.getItem('limber.theme')).toBe('dark')
    expect(localStorage.getItem('limber.letter-keys')).toBe('off')
    localStorage.clear()
  })
})

describe('live updates', () => {
  function Watcher() {
    useLiveRefresh('tickets', ['tickets'])
    return null
  }

  it('use one stream, refresh listeners, and ignore other topics', async () => {
    const { cache } = await renderScreen(<Watcher />)
    const refresh = vi.spyOn(cache, 'invalidateQueries').mockResolvedValue()
    expect(FakeEventSource.all).toHaveLength(1)
    expect(FakeEventSource.last.url).toBe('/api/live')
    for (const data of ['{"topic":"payroll"}', 'not json', '{"id":4}', 'null'])
      FakeEventSource.last.onmessage?.({ data })
    expect(refresh).not.toHaveBeenCalled()
    FakeEventSource.last.onmessage?.({ data: '{"topic":"tickets","id":4}' })
    expect(refresh).toHaveBeenCalledWith({ queryKey: ['tickets'] })
  })

  it('reconnect after a loss and refresh everything that may have been missed', async () => {
    const { cache } = await renderScreen(<Watcher />)
    const refresh = vi.spyOn(cache, 'invalidateQueries').mockResolvedValue()
    FakeEventSource.last.onopen?.()
    expect(refresh).not.toHaveBeenCalled()
    vi.useFakeTimers()
    FakeEventSource.last.onerror?.()
    vi.advanceTimersByTime(1_500)
    vi.useRealTimers()
    expect(FakeEventSource.all).toHaveLength(2)
    FakeEventSource.last.onopen?.()
    await waitFor(() => expect(refresh).toHaveBeenCalledWith({ queryKey: ['tickets'] }))
    expect(refresh).toHaveBeenCalledWith({ queryKey: ['session'] })
  })

  it('stay closed while no one is signed in', async () => {
    await renderScreen(<Watcher />, { session: null })
    expect(FakeEventSource.all).toHaveLength(0)
  })
})
