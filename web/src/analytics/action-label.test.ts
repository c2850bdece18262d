import { expect, it } from 'vitest'
import { actionLabel } from './action-label.ts'

it.each([
  ['profile_viewed', 'Profile viewed'],
  ['search', 'Search'],
  ['checkout.step-2', 'Checkout step 2'],
  ['signup:email', 'Signup email'],
])('labels the action type %s as %s', (type, label) => {
  expect(actionLabel(type)).toBe(label)
})
