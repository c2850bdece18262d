import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { StepUpHost } from '#access/step-up-host.tsx'
import type { Section } from '#platform/sections.ts'
import { sections as registered } from './areas.ts'
import { makeRouter } from './routes.tsx'
import { SectionRegistry } from './section-registry.ts'

/** The app of whoever is signed in. */
export default function App({ sections = registered }: { sections?: readonly Section[] }) {
  const [router] = useState(() => makeRouter(sections))
  useEffect(() => () => router.history.destroy(), [router])
  return (
    <SectionRegistry value={sections}>
      <RouterProvider router={router} />
      <StepUpHost />
    </SectionRegistry>
  )
}
