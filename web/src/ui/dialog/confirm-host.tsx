import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentQuestions, watchQuestions } from './confirm.ts'

// Keeps dialogs out of the sign-in page: they load with the first question.
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

/** Renders open confirmations. Mounted once, next to the router. */
export function ConfirmHost() {
  const questions = useSyncExternalStore(watchQuestions, currentQuestions)
  return (
    <Suspense>
      {questions.map((question) => (
        <ConfirmDialog key={question.id} question={question} />
      ))}
    </Suspense>
  )
}
