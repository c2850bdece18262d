import { listUnusedBlocks } from '@limber/contract/businesses/blocks/block.ts'
import { listSessions } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import { makeSession as makeOnsiteSession } from '../calendar/calendar.testing.ts'
import { BusinessSummary } from './business-summary.tsx'

it('lists the blocks and sessions to come, and first the sessions that need another stretcher', async () => {
  const session = makeOnsiteSession({ status: 'scheduled', problem: 'not_certified' })
  const server = new FakeServer()
    .answer(listSessions, { sessions: [session], isMore: false, last_before: null, next_after: null })
    .answer(listUnusedBlocks, { blocks: [], isMore: false })
  await renderScreen(<BusinessSummary />, { server, path: '/worker/managing/businesses' })
  const problems = within(await screen.findByRole('list', { name: 'Needs another stretcher' }))
  expect(problems.getByText(`${session.stretcher.name} is not ready for it.`)).toBeTruthy()
  expect(problems.getByRole('link').getAttribute('href')).toBe(
    `/worker/managing/businesses?business=${session.business.id}`,
  )
  expect(screen.getByText('Every prepaid block is scheduled.')).toBeTruthy()
  expect(
    within(screen.getByRole('list', { name: 'Sessions in the next 7 days' })).getAllByRole('listitem'),
  ).toHaveLength(1)
})
