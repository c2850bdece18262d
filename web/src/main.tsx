import '#ui/theme/mantine.css'
import '#ui/theme/tokens.css'
import '#ui/theme/base.css'
import '#ui/theme/overrides.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from '#platform/api/query-client.ts'
import { csrfToken } from '#platform/api/request.ts'
import { sessionQuery } from '#platform/session/session.tsx'
import { Providers } from '#ui/theme/providers.tsx'
import { AppRoot, preloadApp } from './app/app-root.tsx'
import { reloadOnNewVersion } from './app/reload-on-new-version.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
// The scroll lock of dialogs adds a style element and reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

reloadOnNewVersion()

const cache = makeQueryClient()
// Fetched before the first render, because the session decides what is shown.
void cache.prefetchQuery(sessionQuery)
if (csrfToken() !== undefined) preloadApp()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers cache={cache} nonce={nonce}>
      <AppRoot />
    </Providers>
  </StrictMode>,
)
