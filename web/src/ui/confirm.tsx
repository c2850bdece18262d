import { Button } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import styles from './confirm.module.css'
import { Dialog } from './dialog.tsx'

interface Question {
  /** The exact question. */
  title: string
  /** What will happen, in plain words. */
  body?: ReactNode
  /** The verb on the button. */
  action: string
  cancel?: string
  isDestructive?: boolean
}

interface Asked extends Question {
  id: number
  isOpen: boolean
  answer: (isYes: boolean) => void
}

let asked: readonly Asked[] = []
let lastId = 0
const watchers = new Set<() => void>()

function set(next: readonly Asked[]): void {
  asked = next
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Asks a question in a dialog; true when the person pressed the verb. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1
    const id = lastId
    const answer = (isYes: boolean) => {
      resolve(isYes)
      set(asked.map((one) => (one.id === id ? { ...one, isOpen: false } : one)))
      // The words stay until the dialog has faded out.
      setTimeout(() => set(asked.filter((one) => one.id !== id)), 250)
    }
    set([...asked, { ...question, id, isOpen: true, answer }])
  })
}

/** Draws the questions; stands once, beside the router. */
export function ConfirmHost() {
  const questions = useSyncExternalStore(watch, () => asked)
  return questions.map((question) => (
    <Dialog
      key={question.id}
      isOpen={question.isOpen}
      onClose={() => question.answer(false)}
      title={question.title}
      role="alertdialog"
      size={400}
      hasCloseButton={false}
      foot={
        <>
          <Button variant="default" onClick={() => question.answer(false)} data-autofocus>
            {question.cancel ?? 'Cancel'}
          </Button>
          <Button color={question.isDestructive ? 'red' : 'teal'} onClick={() => question.answer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      {question.body && <div className={styles.body}>{question.body}</div>}
    </Dialog>
  ))
}
