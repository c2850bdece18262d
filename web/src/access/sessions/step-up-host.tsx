import { lazy, Suspense, useEffect, useState } from 'react'
import { provideStepUp } from '#platform/api/api.ts'

// Dialog and passkey code come with the first call that asks for them.
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

interface Asked {
  id: number
  reason: string
  answer: (isConfirmed: boolean) => void
}

/** Asks for a fresh passkey whenever a call wants one; the call is then made again. Stands once, in the app. */
export function StepUpHost() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(
    () =>
      provideStepUp(
        (reason) =>
          new Promise((resolve) => setAsked((before) => ({ id: (before?.id ?? 0) + 1, reason, answer: resolve }))),
      ),
    [],
  )
  if (!asked) return null
  return (
    <Suspense>
      <StepUpDialog key={asked.id} reason={asked.reason} onAnswer={asked.answer} />
    </Suspense>
  )
}
