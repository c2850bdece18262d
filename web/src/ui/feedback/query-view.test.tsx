import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CallFailure } from '#platform/api/call-failure.ts'
import { renderScreen } from '#platform/testing/testing.tsx'
import { QueryView } from './query-view.tsx'

let isDown = false

function Figures() {
  const query = useQuery({
    queryKey: ['figures'],
    retry: false,
    queryFn: async () => {
      if (isDown) throw new CallFailure(500, { error: 'It broke.', code: 'broken' })
      return ['Booked 12']
    },
  })
  return (
    <>
      <QueryView query={query} failure="Failed to fetch dashboard data">
        {([figure]) => <input aria-label="Figure" defaultValue={figure} />}
      </QueryView>
      <button type="button" onClick={() => void query.refetch()}>
        Refresh
      </button>
    </>
  )
}

it('loaded data stays when a refetch fails, with a banner that can be dismissed', async () => {
  isDown = false
  const { user } = await renderScreen(<Figures />)
  const known = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Figure' })
  expect(screen.queryByRole('alert')).toBeNull()

  isDown = true
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  const message = 'Failed to fetch dashboard data: It broke. The data shown may be out of date.'
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  expect(screen.getByRole('textbox')).toBe(known)
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).toBeNull()

  // A later failure shows again.
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(screen.getByRole('textbox')).toBe(known)
})
