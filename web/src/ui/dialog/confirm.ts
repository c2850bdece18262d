import type { ReactNode } from 'react'

export interface Question {
  /** The exact question. */
  title: string
  /** What will happen, in plain words. */
  body?: ReactNode
  /** The verb on the button. */
  action: string
  cancel?: string
  isDestructive?: boolean
}

export interface Asked extends Question {
  id: number
  isOpen: boolean
  answer: (isYes: boolean) => void
}

// The words stay until the dialog has faded out.
const FADES = 250

let asked: readonly Asked[] = []
let lastId = 0
const watchers = new Set<() => void>()

function set(next: readonly Asked[]): void {
  asked = next
  for (const watcher of watchers) watcher()
}

export const watchQuestions = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const currentQuestions = () => asked

/** Asks a question in a dialog; true when the person pressed the verb. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1
    const id = lastId
    const answer = (isYes: boolean) => {
      resolve(isYes)
      set(asked.map((one) => (one.id === id ? { ...one, isOpen: false } : one)))
      setTimeout(() => set(asked.filter((one) => one.id !== id)), FADES)
    }
    set([...asked, { ...question, id, isOpen: true, answer }])
  })
}
