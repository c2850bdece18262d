import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { currentQuestions } from '#ui/dialog/confirm.ts'
import { dismissAll } from '#ui/feedback/toast-store.ts'
import { closeLive } from '../live/live.ts'
import { clearReturnLink } from '../routing/return-link.ts'
import { FakeEventSource } from './testing.live.ts'

// Autosizing text areas listen to document.fonts, which this DOM does not have.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// A busy machine is not a defect, so wait long. Failed attempts while waiting do not print the page; the last one does.
configure(({ getElementError }) => ({
  asyncUtilTimeout: 60_000,
  getElementError(message, container) {
    const isWaiting = (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics
    return isWaiting
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container)
  },
}))

// React captures a stack for every element. Tests do not use it, and it costs a seventh of the run.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
Object.defineProperty((React as unknown as Record<string, object>)[internals], 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
})

let consoleErrors: string[] = []

beforeEach(() => {
  consoleErrors = []
  vi.spyOn(console, 'error').mockImplementation(
    (...parts: unknown[]) => void consoleErrors.push(parts.map(String).join(' ')),
  )
  vi.stubGlobal('EventSource', FakeEventSource)
  window.history.replaceState(null, '', '/')
})

afterEach(() => {
  cleanup()
  closeLive()
  dismissAll()
  for (const question of currentQuestions()) question.answer(false)
  localStorage.clear()
  clearReturnLink()
  sessionStorage.clear()
  FakeEventSource.all.length = 0
  expect(consoleErrors, 'console.error was called').toEqual([])
})

/** For tests that expect console errors: returns and clears them, so that the test does not fail. */
export function takeConsoleErrors(): string[] {
  const taken = consoleErrors
  consoleErrors = []
  return taken
}
