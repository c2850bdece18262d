import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmHost } from '../dialog/confirm-host.tsx'
import { ToastHost } from '../feedback/toasts.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'limber.theme' })

// No test reads colors or widths, and the DOM of the tests would match each rule of these sheets for each look at an element.
const FOR_TESTS =
  import.meta.env.MODE === 'test' ? ({ env: 'test', withCssVariables: false, withGlobalClasses: false } as const) : {}

interface Props {
  cache: QueryClient
  /** Lets the styles that are written at run time pass the content security policy. */
  nonce?: string | undefined
  children: ReactNode
}

/** What every screen needs around it. */
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
