import { lazy, Suspense, useEffect, useState } from 'react'
import { provideStepUp } from '#platform/api/api.ts'

// Dialog and passkey code load with the first call that needs them.
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

interface Asked {
  id: number
  reason: string
  answer: (isConfirmed: boolean) => void
}

/** Asks for a passkey when a call requires step-up. The call is then retried. Rendered once, in the app. */
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
