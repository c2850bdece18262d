import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmHost } from '../dialog/confirm-host.tsx'
import { ToastHost } from '../feedback/toasts.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'limber.theme' })

// Tests read no colors or widths, and matching these style sheets in the test DOM is slow.
const FOR_TESTS =
  import.meta.env.MODE === 'test' ? ({ env: 'test', withCssVariables: false, withGlobalClasses: false } as const) : {}

interface Props {
  cache: QueryClient
  /** Allows runtime styles under the content security policy. */
  nonce?: string | undefined
  children: ReactNode
}

/** The providers that every screen needs. */
export function Providers({ cache, nonce, children }: Props) {
  return (
    <QueryClientProvider client={cache}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce ?? ''}
        {...FOR_TESTS}
      >
        {children}
        <ConfirmHost />
        <ToastHost />
      </MantineProvider>
    </QueryClientProvider>
  )
}
