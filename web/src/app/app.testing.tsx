import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { makeQueryClient } from '#platform/api/query-client.ts'
import type { Section } from '#platform/routing/sections.ts'
import type { Session } from '#platform/session/session.tsx'
import { FakeServer, Refusal } from '#platform/testing/testing.tsx'
import { Providers } from '#ui/theme/providers.tsx'
import { AppRoot } from './app-root.tsx'

interface Options {
  path?: string
  session: Session | null
  server?: FakeServer
  sections?: readonly Section[]
}

/** Renders the whole app at a path. */
export function renderApp({ path = '/', session, server = new FakeServer(), sections }: Options) {
  server.answer(checkSession, session ?? new Refusal(401, 'signed_out', 'Not signed in.'))
  server.install()
  window.history.replaceState(null, '', path)
  const user = userEvent.setup()
  const cache = makeQueryClient()
  const view = render(
    <Providers cache={cache}>
      <AppRoot {...(sections ? { sections } : {})} />
    </Providers>,
  )
  return { ...view, user, server, cache }
}
