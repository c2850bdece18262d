import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentQuestions, watchQuestions } from './confirm.ts'

// Dialogs are not part of the sign-in page; the first question fetches them.
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

/** Draws the questions; stands once, beside the router. */
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
