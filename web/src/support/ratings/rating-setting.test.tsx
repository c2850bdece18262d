import { readRatingSettings, saveRatingSettings } from '@limber/contract/support/ratings/rating.ts'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import { RatingSetting } from './rating-setting.tsx'

it('turns the question to customers on', async () => {
  const saved = vi.fn()
  let isOn = false
  const server = new FakeServer()
    .answer(readRatingSettings, () => ({ isOn, version: Number(isOn) }))
    .answer(saveRatingSettings, ({ body }) => {
      saved(body)
      isOn = body.isOn
      return { isOn, version: 1 }
    })
  const { user } = await renderScreen(<RatingSetting />, { server })
  const choice = await screen.findByRole<HTMLInputElement>('switch', { name: /^Ask customers after closing/ })
  expect(choice.checked).toBe(false)
  await user.click(choice)
  await vi.waitFor(() => expect(choice.checked).toBe(true))
  expect(saved).toHaveBeenCalledExactlyOnceWith({ isOn: true, version: 0 })
})
