import { afterEach, beforeEach, expect, vi } from 'vitest'
import { HOUR, shift } from '../clock.ts'
import { setFactoryClock } from './factory-clock.ts'
import { TEST_NOW } from './testing.now.ts'

// What factories make came to be within the hour before, one thing after the other.
let made = 0
setFactoryClock({ now: () => shift(new Date(TEST_NOW), made++ - HOUR) })

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
