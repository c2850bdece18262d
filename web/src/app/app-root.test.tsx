import { readProfile } from '@limber/contract/access/profile/profile.ts'
import { checkSession, signOut } from '@limber/contract/access/sessions/session.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { send } from '#platform/api/api.ts'
import { FakeEventSource } from '#platform/testing/testing.live.ts'
import { FakeServer, makeSession, Refusal } from '#platform/testing/testing.tsx'
import { renderApp } from './app.testing.tsx'

const slow = { timeout: 5_000 }

describe('a person who is not signed in', () => {
  it('sees the sign-in page at /', async () => {
    renderApp({ session: null })
    expect(screen.getByText('Checking authentication')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'Sign in' }, slow)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Email' })).toBeTruthy()
    expect(document.title).toBe('Sign in · Limber')
  })

  it('sees the authentication check on other paths, then the sign-in page', async () => {
    renderApp({ session: null, path: '/worker/managing/today?x=1' })
    expect(screen.getByText('Checking authentication')).toBeTruthy()
    await screen.findByRole('heading', { name: 'Sign in' }, slow)
    expect(location.pathname).toBe('/')
  })

  it('finds a public page only at its exact path', async () => {
    renderApp({ session: null, path: '/recovery/' })
    expect(await screen.findByRole('heading', { name: 'Recover access' }, slow)).toBeTruthy()
    cleanup()
    renderApp({ session: null, path: '/recovery/of/what' })
    expect(await screen.findByRole('heading', { name: 'Sign in' }, slow)).toBeTruthy()
    expect(location.pathname).toBe('/')
  })

  it('returns to the requested link after sign-in', async () => {
    const { server } = renderApp({ session: null, path: '/dashboard/worker-profile?x=1' })
    await screen.findByRole('heading', { name: 'Sign in' }, slow)
    server.answer(checkSession, makeSession())
    act(() => {
      window.history.replaceState(null, '', '/redirect')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
    expect(await screen.findByRole('heading', { name: 'My profile' }, slow)).toBeTruthy()
    expect(location.pathname + location.search).toBe('/dashboard/worker-profile?x=1')
  })

  it('can open public screens, whose links need no router', async () => {
    renderApp({ session: null, path: '/recovery' })
    expect(await screen.findByRole('heading', { name: 'Recover access' }, slow)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe('/')
  })

  it('sees an invalid email address before anything is sent', async () => {
    const { user } = renderApp({ session: null })
    await user.type(await screen.findByRole('textbox', { name: 'Email' }, slow), 'dana@example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(screen.getByText('Invalid email format.')).toBeTruthy()
  })
})

describe('an unreachable server', () => {
  it('shows an error with Retry', async () => {
    const server = new FakeServer()
    server.isDown = true
    const { user } = renderApp({ session: makeSession(), server, path: '/worker' })
    expect(await screen.findByText("Couldn't reach Limber", undefined, slow)).toBeTruthy()
    server.isDown = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Managing Admin Dashboard' }, slow)).toBeTruthy()
  })
})

describe('a session', () => {
  it('shows sign-in with a message when it ends on the server, and keeps the return link', async () => {
    const { server } = renderApp({ session: makeSession(), path: '/dashboard/worker-profile' })
    await screen.findByRole('heading', { name: 'My profile' }, slow)
    server.answer(checkSession, new Refusal(401, 'signed_out', 'Not signed in.'))
    await act(() => send(checkSession).catch(() => undefined))
    expect(await screen.findByText(/Your session ended/, undefined, slow)).toBeTruthy()
    expect(location.pathname).toBe('/')
    expect(sessionStorage.getItem('limber.return-link')).toBe('/dashboard/worker-profile')
  })

  it('is removed from the screen when the server closes its stream', async () => {
    const { server } = renderApp({ session: makeSession(), path: '/dashboard/worker-profile' })
    await screen.findByRole('heading', { name: 'My profile' }, slow)
    server.answer(checkSession, new Refusal(401, 'signed_out', 'Not signed in.'))
    act(() => FakeEventSource.last.onerror?.())
    expect(await screen.findByText(/Your session ended/, undefined, slow)).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'My profile' })).toBeNull()
  })

  it('stays when only a call in flight gets a 401, as during a step-up', async () => {
    const { server } = renderApp({ session: makeSession(), path: '/dashboard/worker-profile' })
    await screen.findByRole('heading', { name: 'My profile' }, slow)
    const before = server.callCount(checkSession)
    server.answer(readProfile, new Refusal(401, 'signed_out', 'Not signed in.'))
    await act(() => send(readProfile).catch(() => undefined))
    await waitFor(() => expect(server.callCount(checkSession)).toBe(before + 1))
    expect(screen.getByRole('heading', { name: 'My profile' })).toBeTruthy()
    server.answer(checkSession, new Refusal(401, 'signed_out', 'Not signed in.'))
    await act(() => send(readProfile).catch(() => undefined))
    expect(await screen.findByText(/Your session ended/, undefined, slow)).toBeTruthy()
  })

  it('shows sign-in after signing out, and keeps no return link', async () => {
    const server = new FakeServer().answer(signOut, { success: true })
    const { user } = renderApp({ session: makeSession(), server, path: '/dashboard/worker-profile' })
    await user.click(await screen.findByRole('button', { name: /Priya Raman/ }, slow))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await screen.findByRole('heading', { name: 'Sign in' }, slow)
    await waitFor(() => expect(sessionStorage.getItem('limber.return-link')).toBeNull())
    expect(screen.queryByText(/Your session ended/)).toBeNull()
  })
})
