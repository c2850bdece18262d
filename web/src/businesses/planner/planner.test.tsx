import { listUnusedBlocks, type UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { listSessions } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import {
  activateBlock,
  listCandidates,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { DEFAULT_TIME, setCompanyTime } from '@limber/contract/kit/company-time.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeCandidates, makeDetail, makeSession as makeOnsite } from '../business/businesses.testing.ts'
import Sessions from '../calendar/calendar.screen.tsx'
import { makeCalendar, makeSession, serveCalendar } from '../calendar/calendar.testing.ts'

const WEEK = '/worker/managing/businesses/sessions?week=2036-11-17'
const open = (server: FakeServer, path = WEEK) => renderScreen(<Sessions />, { server, path })

const makeUnused = (more: Partial<UnusedBlock> = {}): UnusedBlock => ({
  id: 10,
  block_hours: 4,
  slot_length_minutes: 20,
  internal_label: 'Front desk',
  expires_on: null,
  business: {
    id: 1,
    name: 'Mission Inn Hospitality',
    admin_email: 'wellness@example.com',
    zone_name: 'Riverside',
    time_zone: 'America/Los_Angeles',
  },
  ...more,
})

const nobody = makeCandidates({ candidates: makeCandidates().candidates.filter(({ state }) => state !== 'free') })

const servePlanner = (blocks: UnusedBlock[] = [makeUnused()], sessions = [makeSession()]) =>
  serveCalendar(sessions)
    .answer(listUnusedBlocks, { blocks, isMore: false })
    .answer(listCandidates, makeCandidates())
    .answer(activateBlock, makeOnsite())

function setWidth(width: number) {
  ;(window as unknown as { happyDOM: { setViewport: (size: object) => void } }).happyDOM.setViewport({ width })
}
beforeEach(() => setWidth(1440))
afterEach(() => setWidth(1024))

const card = (name: RegExp) => screen.findByRole('button', { name })
const placing = async () => within(await screen.findByRole('region', { name: 'Placing' }))
const columnOf = (day: string) => document.querySelector<HTMLElement>(`[data-day="${day}"]`) as HTMLElement
/** happy-dom's drag events have no position. */
const drag = (type: 'dragover' | 'drop', day: string, clientY: number) =>
  fireEvent(columnOf(day), new MouseEvent(type, { bubbles: true, cancelable: true, clientY }))
const startOf = (dialog: HTMLElement) => within(dialog).getByLabelText<HTMLInputElement>('Start time').value

describe('blocks to place', () => {
  it('lists what expires first, finds by business and label, and counts hours', async () => {
    const soon = makeUnused({ id: 11, internal_label: 'Kitchen', block_hours: 2, expires_on: '2026-11-20' })
    const { user } = await open(servePlanner([soon, makeUnused()]))
    expect(await screen.findByRole('heading', { name: 'Blocks to place 2 · 6 h' })).toBeTruthy()
    expect(
      within(screen.getByRole('region', { name: 'Expire within 30 days' })).getByText('Kitchen · 2 h'),
    ).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'Unused' })).getByText('Never expires')).toBeTruthy()
    await user.type(screen.getByLabelText('Search blocks'), 'front')
    expect(screen.queryByText('Kitchen · 2 h')).toBeNull()
    await user.type(screen.getByLabelText('Search blocks'), 'x')
    expect(screen.getByText('No block matches.')).toBeTruthy()
  })

  it('says when all are placed, and what failed', async () => {
    await open(servePlanner([]))
    expect(await screen.findByText('All prepaid blocks are placed.')).toBeTruthy()
    const server = servePlanner().answer(listUnusedBlocks, () => {
      throw new Refusal(500, 'internal', 'Something went wrong.')
    })
    await open(server)
    expect(await screen.findByText("Couldn't load blocks")).toBeTruthy()
  })

  it('keeps the week of a company without sessions', async () => {
    await open(servePlanner([makeUnused()], []))
    await card(/Front desk/)
    expect(await screen.findByRole('list', { name: 'Tue, Nov 18, 2036' })).toBeTruthy()
  })
})

describe('placing a block with the keyboard', () => {
  it('moves by half hours and days, says who is free, and schedules there', async () => {
    const server = servePlanner()
    const { user } = await open(server)
    ;(await card(/Front desk/)).focus()
    await user.keyboard('{Enter}')
    const panel = await placing()
    expect(panel.getByText('Choose a start in the week.')).toBeTruthy()
    await user.keyboard('{ArrowDown}{ArrowRight}{ArrowDown}')
    expect(await panel.findByText(/^Renata Solis is free Tue, Nov 18, 2036, 9:30 AM – 1:30 PM\.$/)).toBeTruthy()
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Schedule session' })
    expect(startOf(dialog)).toBe('2036-11-18T09:30')
    await user.click(await within(dialog).findByRole('button', { name: 'Schedule' }))
    expect(await screen.findByText('Session scheduled!')).toBeTruthy()
    expect(server.requests.findLast((one) => one.call === activateBlock)?.body).toMatchObject({
      prepaid_block_id: 10,
      starts_at: '2036-11-18T17:30:00.000Z',
    })
  })

  it('offers starts that work, chosen with 1 to 3', async () => {
    const { user } = await open(servePlanner())
    await user.click(await card(/Front desk/))
    const panel = await placing()
    expect(await panel.findByRole('button', { name: /Wed, Nov 19, 2036, 9:00 AM/ })).toBeTruthy()
    await user.keyboard('3')
    expect(await panel.findByText(/Renata Solis is free Wed, Nov 19/)).toBeTruthy()
  })

  it('shifts the week with Shift, and puts the block back with Escape', async () => {
    const { user, router } = await open(servePlanner())
    await user.click(await card(/Front desk/))
    await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ week: '2036-11-24' }))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Placing' })).toBeNull()
  })

  it('names the reason of each stretcher when nobody is free, and does not schedule', async () => {
    const server = servePlanner().answer(listCandidates, nobody)
    const { user } = await open(server)
    await user.click(await card(/Front desk/))
    await user.keyboard('{ArrowRight}')
    const panel = await placing()
    expect(await panel.findByText(/^No one is free Mon, Nov 17, 2036/)).toBeTruthy()
    expect(panel.getByText(/at Arrowhead Credit Union/)).toBeTruthy()
    expect(panel.getByText(/On-site Safety until/)).toBeTruthy()
    expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Schedule…' }).disabled).toBe(true)
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('moves a session from where it is, with M', async () => {
    const server = servePlanner().answer(readSession, makeDetail({ id: 40 }))
    const { user } = await open(server)
    const button = (await screen.findByText('5 of 12 slots')).closest('li')?.querySelector('button') as HTMLElement
    button.focus()
    await user.keyboard('m{ArrowRight}')
    const panel = await placing()
    expect(panel.getByText('with Renata Solis')).toBeTruthy()
    expect(await panel.findByText(/^Renata Solis is free Wed, Nov 19, 2036, 9:00 AM/)).toBeTruthy()
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Scheduled Session' })
    expect(startOf(dialog)).toBe('2036-11-19T09:00')
  })

  it('offers the first block in a week without sessions', async () => {
    const { user } = await open(servePlanner([makeUnused()], []))
    await user.click(await screen.findByRole('button', { name: 'Place Mission Inn Hospitality' }))
    expect((await placing()).getByText('Choose a start in the week.')).toBeTruthy()
  })

  it('refuses days after the block expires', async () => {
    const { user } = await open(servePlanner([makeUnused({ expires_on: '2036-11-17' })]))
    await user.click(await card(/Front desk/))
    await user.keyboard('{ArrowRight}{ArrowRight}')
    const panel = await placing()
    expect(await panel.findByText('This block can be used until Nov 17, 2036.')).toBeTruthy()
  })

  it('refuses the past', async () => {
    const { user } = await open(servePlanner(), '/worker/managing/businesses/sessions?week=2020-01-06')
    await user.click(await card(/Front desk/))
    await user.keyboard('{ArrowRight}')
    const panel = await placing()
    expect(await panel.findByText(/has passed\.$/)).toBeTruthy()
    expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Schedule…' }).disabled).toBe(true)
  })
})

describe('placing with the pointer', () => {
  it('schedules at the start that is clicked while a block is lifted', async () => {
    const { user } = await open(servePlanner())
    await user.click(await card(/Front desk/))
    // An hour is 52 px high, and the week begins at 6 AM.
    fireEvent.click(columnOf('2036-11-19'), { clientY: 52 * 4 + 30 })
    const dialog = await screen.findByRole('dialog', { name: 'Schedule session' })
    expect(startOf(dialog)).toBe('2036-11-19T10:30')
  })

  it('asks for the block when an empty slot is clicked, but not on a session', async () => {
    const { user } = await open(servePlanner())
    await card(/Front desk/)
    fireEvent.click(await screen.findByText('5 of 12 slots'))
    expect(screen.queryByRole('dialog', { name: 'Schedule session' })).toBeNull()
    fireEvent.click(columnOf('2036-11-19'), { clientY: 52 * 3 })
    const chooser = within(await screen.findByRole('dialog', { name: 'Schedule session' }))
    expect(chooser.getByText(/^Wed, Nov 19, 2036, 9:00 AM/)).toBeTruthy()
    await user.click(await chooser.findByRole('button', { name: /Front desk/ }))
    await waitFor(() =>
      expect(startOf(screen.getByRole('dialog', { name: 'Schedule session' }))).toBe('2036-11-19T09:00'),
    )
  })

  it('drags a session to another day, and saves only in its dialog', async () => {
    const server = servePlanner()
      .answer(readSession, makeDetail({ id: 40 }))
      .answer(rescheduleSession, makeOnsite())
    const { user } = await open(server)
    const session = (await screen.findByText('5 of 12 slots')).closest('li') as HTMLElement
    const dataTransfer = { effectAllowed: '', setData: () => {} }
    fireEvent.dragStart(session, { dataTransfer })
    const panel = await placing()
    expect(panel.getByText('with Renata Solis')).toBeTruthy()
    drag('dragover', '2036-11-20', 52 * 4)
    expect(await panel.findByText(/Renata Solis is free Thu, Nov 20/)).toBeTruthy()
    drag('drop', '2036-11-20', 52 * 4)
    fireEvent.dragEnd(session, { dataTransfer: { dropEffect: 'move' } })
    const dialog = await screen.findByRole('dialog', { name: 'Scheduled Session' })
    expect(startOf(dialog)).toBe('2036-11-20T10:00')
    expect(server.requests.some((one) => one.call === rescheduleSession)).toBe(false)
    await user.click(await within(dialog).findByRole('button', { name: 'Reschedule' }))
    await waitFor(() =>
      expect(server.requests.findLast((one) => one.call === rescheduleSession)?.body).toMatchObject({
        session_id: 40,
        new_starts_at: '2036-11-20T18:00:00.000Z',
      }),
    )
  })

  it('refuses a drop where no one is free, and keeps the block lifted with the reasons', async () => {
    await open(servePlanner([makeUnused()], []).answer(listCandidates, nobody))
    const block = await card(/Front desk/)
    const dataTransfer = { effectAllowed: '', dropEffect: 'move', setData: () => {} }
    fireEvent.dragStart(block, { dataTransfer })
    const panel = await placing()
    drag('dragover', '2036-11-20', 52 * 4)
    expect(await panel.findByText(/^No one is free Thu, Nov 20/)).toBeTruthy()
    expect(document.querySelector('[data-refused]')).toBeNull()
    drag('drop', '2036-11-20', 52 * 4)
    fireEvent.dragEnd(block, { dataTransfer })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.querySelector('[data-refused]')).toBeTruthy()
    expect(panel.getByText(/at Arrowhead Credit Union/)).toBeTruthy()
  })

  it('puts back what is dropped outside of the week', async () => {
    await open(servePlanner())
    const block = await card(/Front desk/)
    fireEvent.dragStart(block, { dataTransfer: { effectAllowed: '', setData: () => {} } })
    await placing()
    fireEvent.dragEnd(block, { dataTransfer: { dropEffect: 'none' } })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Placing' })).toBeNull())
  })

  it('does not drag what has started', async () => {
    await open(servePlanner([makeUnused()], [makeSession({ status: 'in_progress' })]))
    expect((await screen.findByText('5 of 12 slots')).closest('li')?.getAttribute('draggable')).toBeNull()
  })
})

it('marks holidays of the state of the company', async () => {
  setCompanyTime({ ...DEFAULT_TIME, state: 'CA' })
  await open(servePlanner(), '/worker/managing/businesses/sessions?week=2036-11-24')
  const head = await screen.findByRole('heading', { name: /Fri 28.*Day after Thanksgiving/ })
  expect(head.dataset.holiday).toBe('state')
  setCompanyTime(DEFAULT_TIME)
})

it('marks federal holidays, also in the dialog', async () => {
  const server = servePlanner().answer(listSessions, makeCalendar([makeSession()]))
  const { user } = await open(server, '/worker/managing/businesses/sessions?week=2036-11-24')
  expect(await screen.findByRole('heading', { name: /Thu 27.*Thanksgiving Day/ })).toBeTruthy()
  await user.click(await card(/Front desk/))
  fireEvent.click(columnOf('2036-11-27'), { clientY: 52 * 4 })
  expect(
    await screen.findByText('Nov 27, 2036 is a federal holiday (Thanksgiving Day). The business may be closed.'),
  ).toBeTruthy()
})

it('has the blocks in a dialog on a small screen, and schedules from there', async () => {
  setWidth(390)
  const { user } = await open(servePlanner())
  await user.click(await screen.findByRole('button', { name: 'Blocks to place' }))
  const chooser = within(await screen.findByRole('dialog', { name: 'Schedule session' }))
  await user.click(await chooser.findByRole('button', { name: /Front desk/ }))
  const panel = await placing()
  await user.click((await panel.findAllByRole('button', { name: /Renata Solis/ }))[0] as HTMLElement)
  const schedule = panel.getByRole<HTMLButtonElement>('button', { name: 'Schedule…' })
  await waitFor(() => expect(schedule.disabled).toBe(false))
  await user.click(schedule)
  expect(await screen.findByLabelText('Start time')).toBeTruthy()
})

it('opens the session at once from the list of a small screen, which has no place to choose', async () => {
  setWidth(390)
  const { user } = await open(servePlanner(), `${WEEK}&view=list`)
  await user.click(await screen.findByRole('button', { name: 'Blocks to place' }))
  const chooser = within(await screen.findByRole('dialog', { name: 'Schedule session' }))
  await user.click(await chooser.findByRole('button', { name: /Front desk/ }))
  expect(await screen.findByLabelText('Start time')).toBeTruthy()
})
