// @module-tag slow
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  markNotHeld,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Businesses from '../business/businesses.screen.tsx'
import { makeBlock, makeCandidates, makeDetail, makeSession, serveCompany } from '../business/businesses.testing.ts'
import { entryOf, readStart } from './start-time.ts'

const LA = 'America/Los_Angeles'
const used = makeBlock({
  id: 11,
  internal_label: 'Wellness day',
  is_used: 1,
  state: 'scheduled',
  session: makeSession(),
})
const open = (server: FakeServer, block: number) =>
  renderScreen(<Businesses />, { server, path: `/worker/managing/businesses?business=1&block=${block}` })
const fill = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('scheduling a block', () => {
  it('ranks the stretchers, selects the first, shows the end, and asks who gets an email', async () => {
    const server = serveCompany({ blocks: [makeBlock()] }).answer(activateBlock, makeSession())
    const { user } = await open(server, 10)
    const view = await dialog('Schedule session')
    const choices = within(await view.findByRole('radiogroup', { name: 'Stretcher' }))
    const [renata, kwame, june, paolo] = choices.getAllByRole<HTMLInputElement>('radio')
    expect([renata?.checked, kwame?.disabled, june?.disabled, paolo?.disabled]).toEqual([true, false, true, true])
    expect(choices.getByText(/On-site Safety until .*Oct.* 2036/)).toBeTruthy()
    expect(choices.getByText(/8:30 AM – 11:30 AM at Arrowhead Credit Union/)).toBeTruthy()
    fill(view.getByLabelText('Start time'), '2036-11-18T09:00')
    expect(view.getByLabelText<HTMLInputElement>('Ends at').value).toBe('Tue, Nov 18, 2036, 1:00 PM')
    await user.click(view.getByRole('checkbox', { name: 'wellness@example.com' }))
    await user.click(view.getByRole('button', { name: 'Schedule' }))
    expect(await screen.findByText('Session scheduled!')).toBeTruthy()
    expect(bodyOf(server, activateBlock)).toEqual({
      prepaid_block_id: 10,
      stretcher_id: 21,
      starts_at: '2036-11-18T17:00:00.000Z',
      notify: { stretcher: true, business: false },
    })
  })

  it('suggests the next possible starts of the selected stretcher', async () => {
    const { user } = await open(serveCompany({ blocks: [makeBlock()] }), 10)
    const view = await dialog('Schedule session')
    await user.click(await view.findByRole('radio', { name: /Kwame Nkansah/ }))
    expect(view.getByRole<HTMLButtonElement>('button', { name: 'Schedule' }).disabled).toBe(true)
    await user.click(view.getByRole('button', { name: 'Wed, Nov 19, 2036, 8:00 AM' }))
    expect(view.getByLabelText<HTMLInputElement>('Start time').value).toBe('2036-11-19T08:00')
  })

  it('proposes the next five minutes, which move with the clock until another start is selected', async () => {
    vi.useFakeTimers({ now: new Date('2036-11-18T18:04:58Z'), shouldAdvanceTime: true })
    try {
      await open(serveCompany({ blocks: [makeBlock()] }), 10)
      const view = await dialog('Schedule session')
      const start = () => view.getByLabelText<HTMLInputElement>('Start time').value
      expect(start()).toBe('2036-11-18T10:05')
      await act(() => vi.advanceTimersByTimeAsync(5000))
      expect(start()).toBe('2036-11-18T10:10')
      fill(view.getByLabelText('Start time'), '2036-11-18T10:08')
      await act(() => vi.advanceTimersByTimeAsync(600_000))
      expect(start()).toBe('2036-11-18T10:08')
    } finally {
      vi.useRealTimers()
    }
  })

  it('shows that the zone has no stretchers, and that the block has no session', async () => {
    const server = serveCompany({ blocks: [makeBlock()] }).answer(
      listCandidates,
      makeCandidates({ candidates: [], next_starts: [] }),
    )
    await open(server, 10)
    expect(await screen.findByText('No stretchers available for this zone.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows that a block in the URL has no session', async () => {
    await open(serveCompany({ blocks: [makeBlock()] }), 999)
    expect(await screen.findByText('No session found for this block.')).toBeTruthy()
  })
})

describe('a scheduled session', () => {
  it('is moved and reassigned with the version that was seen', async () => {
    const server = serveCompany({ blocks: [used] })
      .answer(rescheduleSession, makeSession({ version: 3 }))
      .answer(changeStretcher, makeSession({ version: 4 }))
    const { user } = await open(server, 11)
    let view = await dialog('Scheduled Session')
    expect(await view.findByText('Ana Ruiz')).toBeTruthy()
    fill(view.getByLabelText('Start time'), '2036-11-18T10:00')
    server.answer(readSession, makeDetail({ version: 3 }))
    await user.click(view.getByRole('button', { name: 'Reschedule' }))
    expect(await screen.findByText('Session rescheduled.')).toBeTruthy()
    expect(bodyOf(server, rescheduleSession)).toMatchObject({
      session_id: 40,
      new_starts_at: '2036-11-18T18:00:00.000Z',
      version: 2,
    })
    view = await dialog('Scheduled Session')
    await user.click(await view.findByRole('radio', { name: /Kwame/ }))
    await user.click(view.getByRole('button', { name: 'Change Stretcher' }))
    expect(await screen.findByText('Stretcher updated.')).toBeTruthy()
    expect(bodyOf(server, changeStretcher)).toMatchObject({ new_stretcher_id: 22, version: 3 })
  })

  it('shows that its stretcher is not ready for the new start, and moves it with another one', async () => {
    const [own, ...others] = makeCandidates().candidates
    if (!own) throw new Error('There is no candidate')
    const candidates = [...others, { ...own, state: 'not_certified' as const }]
    const server = serveCompany({ blocks: [used] }).answer(listCandidates, makeCandidates({ candidates }))
    await open(server, 11)
    const view = await dialog('Scheduled Session')
    fill(view.getByLabelText('Start time'), '2036-11-18T10:00')
    expect(await view.findByText('Renata Solis is not ready at that time. Select another stretcher too.')).toBeTruthy()
    expect(view.getByRole<HTMLButtonElement>('button', { name: 'Reschedule' }).disabled).toBe(true)
  })

  it('changes start and stretcher at once', async () => {
    const server = serveCompany({ blocks: [used] }).answer(rescheduleSession, makeSession({ version: 3 }))
    const { user } = await open(server, 11)
    const view = await dialog('Scheduled Session')
    expect(await view.findByText('Select another start time or stretcher to change the session.')).toBeTruthy()
    fill(view.getByLabelText('Start time'), '2036-11-18T10:00')
    await user.click(await view.findByRole('radio', { name: /Kwame/ }))
    expect(view.getByText('Reschedule moves the session and assigns it to Kwame Nkansah.')).toBeTruthy()
    await user.click(view.getByRole('checkbox', { name: '1 person with a slot, if it is moved or canceled' }))
    await user.click(view.getByRole('button', { name: 'Reschedule' }))
    expect(await screen.findByText('Session rescheduled.')).toBeTruthy()
    expect(screen.getByText('Stretcher updated.')).toBeTruthy()
    expect(bodyOf(server, rescheduleSession)).toEqual({
      session_id: 40,
      new_starts_at: '2036-11-18T18:00:00.000Z',
      new_stretcher_id: 22,
      version: 2,
      notify: { stretcher: true, business: true, participants: false },
    })
  })

  it('shows the server\'s refusal after "Error: "', async () => {
    const server = serveCompany({ blocks: [used] }).answer(
      changeStretcher,
      new Refusal(409, 'busy', 'Kwame Nkansah is busy 8:30 AM – 11:30 AM.'),
    )
    const { user } = await open(server, 11)
    const view = await dialog('Scheduled Session')
    await user.click(await view.findByRole('radio', { name: /Kwame/ }))
    await user.click(view.getByRole('button', { name: 'Change Stretcher' }))
    expect(await screen.findByText('Error: Kwame Nkansah is busy 8:30 AM – 11:30 AM.')).toBeTruthy()
  })

  it('shows both versions when someone else moved it', async () => {
    const current = makeSession({
      starts_at: '2036-11-20T17:00:00.000',
      ends_at: '2036-11-20T21:00:00.000',
      version: 7,
    })
    const server = serveCompany({ blocks: [used] }).answer(
      rescheduleSession,
      new Refusal(409, 'stale', 'Changed.', { current }),
    )
    const { user } = await open(server, 11)
    const view = await dialog('Scheduled Session')
    fill(await view.findByLabelText('Start time'), '2036-11-18T10:00')
    await user.click(view.getByRole('button', { name: 'Reschedule' }))
    const both = await dialog('Someone else changed this session')
    expect(both.getByText('Thu, Nov 20, 2036, 9:00 AM')).toBeTruthy()
    server.answer(rescheduleSession, makeSession({ version: 8 }))
    await user.click(both.getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Session rescheduled.')).toBeTruthy()
    expect(bodyOf(server, rescheduleSession)).toMatchObject({ version: 7 })
  })

  it('is canceled with a reason', async () => {
    const server = serveCompany({ blocks: [used] }).answer(cancelSession, makeSession({ state: 'cancelled' }))
    const { user } = await open(server, 11)
    const view = await dialog('Scheduled Session')
    await user.click(await view.findByRole('button', { name: 'Cancel session' }))
    const ask = await dialog('Cancel this session?')
    expect(
      ask.getByText(
        /1 slot is taken\. .* 1 person with a slot gets an email without the reason\. This cannot be undone\.$/,
      ),
    ).toBeTruthy()
    expect(ask.getByRole('button', { name: 'Keep session' })).toBeTruthy()
    await user.click(ask.getByRole('button', { name: 'Cancel session' }))
    expect(await ask.findByText('Reason is required.')).toBeTruthy()
    fill(ask.getByLabelText('Reason'), 'Fire drill')
    await user.click(ask.getByRole('button', { name: 'Cancel session' }))
    expect(await screen.findByText('Session canceled.')).toBeTruthy()
    expect(bodyOf(server, cancelSession)).toMatchObject({ reason: 'Fire drill', version: 2 })
  })

  it('is marked as not held up to seven days after its start, with a reason', async () => {
    vi.useFakeTimers({ now: new Date('2036-11-20T18:00:00Z'), toFake: ['Date'] })
    try {
      const past = makeDetail({ state: 'delivered' })
      const server = serveCompany({ blocks: [used] })
        .answer(readSession, past)
        .answer(markNotHeld, makeSession({ state: 'cancelled' }))
      const { user } = await open(server, 11)
      const view = await dialog('Delivered Session')
      await user.click(view.getByRole('button', { name: 'Mark as not held' }))
      const question = await dialog('Mark this session as not held?')
      await user.click(question.getByRole('button', { name: 'Mark as not held' }))
      expect(await question.findByText('Reason is required.')).toBeTruthy()
      await user.type(question.getByLabelText('Reason'), 'Stretcher ill')
      await user.click(question.getByRole('checkbox', { name: 'wellness@example.com' }))
      await user.click(question.getByRole('button', { name: 'Mark as not held' }))
      expect(await screen.findByText('Marked as not held.')).toBeTruthy()
      expect(bodyOf(server, markNotHeld)).toEqual({
        session_id: 40,
        reason: 'Stretcher ill',
        notify: { stretcher: true, business: false },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('only shows its outcome when it started earlier or was not held', async () => {
    vi.useFakeTimers({ now: new Date('2036-12-20T18:00:00Z'), toFake: ['Date'] })
    try {
      const past = makeDetail({ state: 'delivered' })
      const server = serveCompany({ blocks: [used] }).answer(readSession, past)
      const { unmount } = await open(server, 11)
      const view = await dialog('Delivered Session')
      expect(view.queryByRole('button', { name: 'Mark as not held' })).toBeNull()
      unmount()
      const missed = { ...past, state: 'cancelled' as const, cancelled_at: '2036-11-19T10:00:00.000Z' }
      server.answer(readSession, { ...missed, cancel_reason: 'Stretcher ill' })
      await open(server, 11)
      expect(await screen.findByText(/Not held:.*Reason: Stretcher ill/)).toBeTruthy()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is canceled only after a change by someone else was seen', async () => {
    const current = makeSession({
      starts_at: '2036-11-20T17:00:00.000',
      ends_at: '2036-11-20T21:00:00.000',
      version: 7,
    })
    const server = serveCompany({ blocks: [used] }).answer(
      cancelSession,
      new Refusal(409, 'stale', 'Changed.', { current }),
    )
    const { user } = await open(server, 11)
    await user.click(await (await dialog('Scheduled Session')).findByRole('button', { name: 'Cancel session' }))
    const ask = await dialog('Cancel this session?')
    fill(ask.getByLabelText('Reason'), 'Fire drill')
    await user.click(ask.getByRole('button', { name: 'Cancel session' }))
    expect(await ask.findByText(/Now it is Thu, Nov 20, 2036, 9:00 AM – 1:00 PM, with Renata Solis\./)).toBeTruthy()
    server.answer(cancelSession, makeSession({ state: 'cancelled' }))
    await user.click(ask.getByRole('button', { name: 'Cancel session' }))
    expect(await screen.findByText('Session canceled.')).toBeTruthy()
    expect(bodyOf(server, cancelSession)).toMatchObject({ reason: 'Fire drill', version: 7 })
  })

  it('is read-only after delivery', async () => {
    const session = makeSession({ state: 'delivered' })
    const server = serveCompany({ blocks: [{ ...used, state: 'delivered', session }] }).answer(
      readSession,
      makeDetail({ state: 'delivered' }),
    )
    await open(server, 11)
    const view = await dialog('Delivered Session')
    expect(await view.findByText(/Delivered: Tue, Nov 18, 2036, 9:00 AM – 1:00 PM, with/)).toBeTruthy()
    expect(view.getByRole('link', { name: 'Renata Solis' }).getAttribute('href')).toMatch(/stretcher=\d+$/)
    expect(view.queryByRole('button', { name: 'Reschedule' })).toBeNull()
  })
})

describe("a start in the zone's time zone", () => {
  it('does not exist in the skipped hour, and is ambiguous in the repeated hour', () => {
    expect(readStart({ field: '2027-03-14T02:30', isSecond: false }, LA).problem).toMatch(/skip/)
    const twice = readStart({ field: '2026-11-01T01:30', isSecond: true }, LA)
    expect([twice.at?.toISOString(), twice.both.length]).toEqual(['2026-11-01T09:30:00.000Z', 2])
    expect(entryOf(new Date('2026-11-01T09:30:00Z'), LA)).toEqual({ field: '2026-11-01T01:30', isSecond: true })
    expect(entryOf(new Date('2026-11-01T08:30:00Z'), LA)).toEqual({ field: '2026-11-01T01:30', isSecond: false })
    expect(readStart({ field: '', isSecond: false }, LA).problem).toBe('Invalid date input format for UTC conversion')
  })

  it('asks which of the two is meant', async () => {
    const { user } = await open(serveCompany({ blocks: [makeBlock()] }), 10)
    const view = await dialog('Schedule session')
    fill(await view.findByLabelText('Start time'), '2036-11-02T01:30')
    const which = view.getByLabelText('This time occurs twice')
    await user.selectOptions(which, 'The second, 1:30 AM PST')
    expect(view.getByLabelText<HTMLInputElement>('Ends at').value).toContain('5:30 AM')
    fill(view.getByLabelText('Start time'), '2036-03-09T02:30')
    expect(view.getByText(/Daylight saving time skips this time/)).toBeTruthy()
  })
})
