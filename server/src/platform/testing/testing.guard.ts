import { afterEach, beforeEach, expect, vi } from 'vitest'
import { HOUR, shift } from '../clock.ts'
import { setFactoryClock } from './factory-clock.ts'
import { TEST_NOW } from './testing.now.ts'

// Factory records are created within the last hour, one after the other.
let made = 0
setFactoryClock({ now: () => shift(new Date(TEST_NOW), made++ - HOUR) })

// An unexpected console.error fails the test in which it appears.
let errors: unknown[][] = []
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...args) => {
    errors.push(args)
  })
})
afterEach(() => {
  expect(errors, 'console.error was called').toEqual([])
})
