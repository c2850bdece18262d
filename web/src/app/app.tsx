import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { StepUpHost } from '#access/sessions/step-up-host.tsx'
import type { Section } from '#platform/routing/sections.ts'
import { registry } from './areas.ts'
import { makeRouter } from './routes.tsx'
import { RegistryProvider } from './section-registry.ts'

/** The app for signed-in people. */
export default function App({ sections = registry.sections }: { sections?: readonly Section[] }) {
  const [router] = useState(() => makeRouter(sections))
  const value = useMemo(() => ({ ...registry, sections }), [sections])
  useEffect(() => () => router.history.destroy(), [router])
  return (
    <RegistryProvider value={value}>
      <RouterProvider router={router} />
      <StepUpHost />
    </RegistryProvider>
  )
}
