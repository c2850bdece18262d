import type { ReactNode } from 'react'

export interface Question {
  /** The question. */
  title: string
  /** What will happen. */
  body?: ReactNode
  /** The verb on the button. */
  action: string
  cancel?: string
  isDestructive?: boolean
}

export interface OpenQuestion extends Question {
  id: number
  isOpen: boolean
  answer: (isYes: boolean) => void
}

// The text stays until the dialog has faded out.
const FADE_MS = 250

let open: readonly OpenQuestion[] = []
let lastId = 0
const watchers = new Set<() => void>()

function set(next: readonly OpenQuestion[]): void {
  open = next
  for (const watcher of watchers) watcher()
}

export const watchQuestions = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const currentQuestions = () => open

/** Asks for confirmation in a dialog. Resolves to true when the person pressed the action. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1
    const id = lastId
    const answer = (isYes: boolean) => {
      resolve(isYes)
      set(open.map((one) => (one.id === id ? { ...one, isOpen: false } : one)))
      setTimeout(() => set(open.filter((one) => one.id !== id)), FADE_MS)
    }
    set([...open, { ...question, id, isOpen: true, answer }])
  })
}
