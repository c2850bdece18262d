import { afterEach, beforeEach, expect, vi } from 'vitest'

// A console error is a defect that nobody asserted: it fails the test in which it appears.
let errors: unknown[][] = []
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...words) => {
    errors.push(words)
  })
})
afterEach(() => {
  expect(errors, 'console.error was called').toEqual([])
})
