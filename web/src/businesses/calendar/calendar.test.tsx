import { type CalendarSession, listSessions } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { cancelSession, readSession } from '@limber/contract/businesses/sessions/onsite.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { listStretchers, readStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLive } from '#platform/live/live.ts'
import { FakeEventSource, type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeDetail } from '../business/businesses.testing.ts'
import Sessions from './calendar.screen.tsx'
import { makeCalendar, makeSession, serveCalendar } from './calendar.testing.ts'

const PATH = '/worker/managing/businesses/sessions'
const WEEK = `${PATH}?week=2036-11-17`
const open = (server: FakeServer, path = WEEK) => renderScreen(<Sessions />, { server, path })

/** A stub server with these sessions in every week, which records the last query. */
function watchCalendar(sessions: CalendarSession[] = []) {
  const last: { query?: object } = {}
  const server = serveCalendar().answer(listSessions, ({ query }) => {
    last.query = query
    return makeCalendar(sessions)
  })
  return { server, last }
}

/** Another session on the same day, an hour later. */
const second = makeSession({
  id: 41,
  business: { id: 2, name: 'Loma Vista Medical' },
  starts_at: '2036-11-18T18:00:00.000',
  ends_at: '2036-11-18T20:00:00.000',
  status: 'in_progress',
})
const elsewhere = makeSession({
  id: 42,
  business: { id: 5, name: 'Harbor Point' },
  zone: { id: 9, name: 'Boston', time_zone: 'America/New_York' },
  day: '2036-11-19',
  starts_at: '2036-11-19T14:00:00.000',
  ends_at: '2036-11-19T16:00:00.000',
})

/** Sets the window width, which decides between grid and list. */
function setWidth(width: number) {
  ;(window as unknown as { happyDOM: { setViewport: (size: object) => void } }).happyDOM.setViewport({ width })
}
beforeEach(() => setWidth(1440))
afterEach(() => setWidth(1024))

describe('week grid', () => {
  it('has seven columns and shows each session with time, names, status and slots', async () => {
    await open(serveCalendar([makeSession(), second]))
    const day = within(await screen.findByRole('list', { name: 'Tue, Nov 18, 2036' }))
    expect(screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent)).toEqual([
      'Mon 17',
      'Tue 18',
      'Wed 19',
      'Thu 20',
      'Fri 21',
      'Sat 22',
      'Sun 23',
    ])
    const [first] = day.getAllByRole('listitem')
    expect(first?.textContent).toBe('9:00 AM · 4 hMission Inn HospitalityRenata Solis5 of 12 slots')
    expect(day.getByText('In progress')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Nov 17 – 23, 2036' })).toBeTruthy()
    expect(screen.getByText('2 sessions, 10 of 24 slots taken.')).toBeTruthy()
    expect(screen.getByText('PST')).toBeTruthy()
  })

  it('places overlapping sessions side by side, and is as tall as their hours', async () => {
    await open(serveCalendar([makeSession(), second]))
    const places = within(await screen.findByRole('list', { name: 'Tue, Nov 18, 2036' })).getAllByRole('listitem')
    const boxes = places.map(({ style }) => [style.top, style.height, style.left])
    expect(boxes).toEqual([
      ['157px', '206px', 'calc(0% + 2px)'],
      ['209px', '102px', 'calc(50% + 2px)'],
    ])
  })

  it('links to the business and the stretcher in the list, where the names are large enough to hit', async () => {
    const { user, router } = await open(serveCalendar([makeSession()]))
    await screen.findByText('Mission Inn Hospitality')
    expect(screen.queryByRole('link', { name: 'Mission Inn Hospitality' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'List' }))
    const business = await screen.findByRole('link', { name: 'Mission Inn Hospitality' })
    expect(business.getAttribute('href')).toBe('/worker/managing/businesses?business=1')
    await user.click(screen.getByRole('link', { name: 'Renata Solis' }))
    expect(router.state.location.href).toBe('/worker/managing/stretchers?stretcher=21')
  })

  it('shows time zone abbreviations only where they differ', async () => {
    await open(serveCalendar([makeSession(), elsewhere]))
    expect(await screen.findByText('9:00 AM PST · 4 h')).toBeTruthy()
    expect(screen.getByText('9:00 AM EST · 2 h')).toBeTruthy()
    expect(screen.queryByText('PST')).toBeNull()
  })

  it('marks a session whose stretcher is no longer ready', async () => {
    await open(serveCalendar([makeSession({ problem: 'not_certified' })]))
    expect(await screen.findByText('Not certified')).toBeTruthy()
  })

  it('highlights today and shows a line for the current time, which moves with the clock', async () => {
    vi.useFakeTimers({ now: new Date('2036-11-18T18:00:30Z'), shouldAdvanceTime: true })
    try {
      const { container } = await open(serveCalendar([makeSession()]), PATH)
      expect(await screen.findByRole('heading', { name: 'Tue 18 , today' })).toBeTruthy()
      const top = () => container.querySelector<HTMLElement>('[data-now="PST"]')?.style.top
      expect(top()).toBe('208px')
      await act(() => vi.advanceTimersByTimeAsync(30_000))
      expect(Number.parseFloat(top() ?? '')).toBeCloseTo(208.87, 2)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('week navigation', () => {
  it('works with buttons and keys, and is in the URL', async () => {
    const { server, last } = watchCalendar([makeSession()])
    const { user, router } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Next week' }))
    await waitFor(() => expect(last.query).toEqual({ from: '2036-11-24', to: '2036-11-30' }))
    expect(router.state.location.search).toEqual({ week: '2036-11-24' })
    await user.keyboard('pp')
    await waitFor(() => expect(last.query).toMatchObject({ from: '2036-11-10' }))
    await user.keyboard('t')
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'This week' }).disabled).toBe(true)
  })

  it('accepts any day of a week, and shows the current week for an invalid day', async () => {
    const { server, last } = watchCalendar()
    await open(server, `${PATH}?week=2036-11-23`)
    await waitFor(() => expect(last.query).toMatchObject({ from: '2036-11-17', to: '2036-11-23' }))
    await open(server, `${PATH}?week=2036-02-31`)
    expect(screen.getAllByRole<HTMLButtonElement>('button', { name: 'This week' }).at(-1)?.disabled).toBe(true)
  })

  it('leads from an empty week to the nearest weeks with sessions', async () => {
    const server = serveCalendar([], { last_before: '2036-10-03', next_after: '2036-12-18' })
    const { user, router } = await open(server)
    expect(await screen.findByText('No sessions this week')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Last: Fri, Oct 3, 2036' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next: Thu, Dec 18, 2036' }))
    expect(router.state.location.search).toEqual({ week: '2036-12-15' })
  })
})

describe('calendar filters', () => {
  it('are zone, stretcher and status, and are in the URL', async () => {
    const { server, last } = watchCalendar([makeSession()])
    server.answer(listStretchers, {
      stretchers: [{ ...stretcher, id: 21 }],
      pagination: paginate(1, 20, 1),
      counts: { active: 1, in_training: 0, inactive: 0, not_certified: 0 },
    })
    server.answer(readStretcher, {
      ...stretcher,
      dateOfBirth: null,
      trainedAt: null,
      deactivated: null,
      certificationList: [],
      requirements: { courses: [], certifications: [] },
      sessions: [],
    })
    const { user, router } = await open(server)
    await screen.findByRole('option', { name: 'Riverside' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Zone' }), 'Riverside')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Canceled')
    await user.click(await screen.findByRole('combobox', { name: 'Stretcher' }))
    await user.click(await screen.findByRole('option', { name: 'Renata Solis' }))
    await waitFor(() =>
      expect(last.query).toEqual({
        from: '2036-11-17',
        to: '2036-11-23',
        zone: 3,
        stretcher: 21,
        status: 'cancelled',
      }),
    )
    expect(router.state.location.search).toEqual({
      week: '2036-11-17',
      zone: '3',
      stretcher: '21',
      status: 'cancelled',
    })
  })

  it('can be cleared at once when nothing matches', async () => {
    const { user, router } = await open(serveCalendar(), `${WEEK}&zone=3&status=delivered`)
    expect(await screen.findByText('No sessions found this week')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(router.state.location.search).toEqual({ week: '2036-11-17' })
  })

  it('are suggested when there are too many sessions', async () => {
    await open(serveCalendar([makeSession()], { isMore: true }))
    expect(await screen.findByText(/Only the first 1 sessions of this week are shown/)).toBeTruthy()
  })
})

describe('a session in the calendar', () => {
  it('opens the same dialog as its block, and can be canceled there', async () => {
    const server = serveCalendar([makeSession()]).answer(cancelSession, ({ body }) => {
      server.answer(listSessions, makeCalendar())
      return { ...makeDetail(), id: body.session_id, state: 'cancelled' as const }
    })
    const { user, router } = await open(server)
    await user.click(await screen.findByRole('button', { name: /9:00 AM · 4 h, Mission Inn Hospitality/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Scheduled Session' }))
    expect(router.state.location.search).toMatchObject({ session: '40' })
    await user.click(dialog.getByRole('button', { name: 'Cancel session' }))
    const sure = within(await screen.findByRole('dialog', { name: 'Cancel this session?' }))
    fireEvent.change(sure.getByLabelText(/Reason/), { target: { value: 'Fire drill' } })
    await user.click(sure.getByRole('button', { name: 'Cancel session' }))
    expect(await screen.findByText('No sessions this week')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows the reason when canceled, without actions, even when its block is deleted', async () => {
    const server = serveCalendar().answer(
      readSession,
      makeDetail({ state: 'cancelled', block_id: null, internal_label: '', cancel_reason: 'Fire drill' }),
    )
    await open(server, `${WEEK}&session=40`)
    const dialog = within(await screen.findByRole('dialog', { name: 'Canceled Session' }))
    expect(dialog.getByText(/Reason: Fire drill/)).toBeTruthy()
    expect(dialog.getByText(/Deleted block/)).toBeTruthy()
    expect(dialog.queryByRole('button', { name: 'Reschedule' })).toBeNull()
  })

  it('is selected with j and k, and opened with Enter', async () => {
    const { user } = await open(serveCalendar([makeSession(), second]))
    await screen.findByText('Loma Vista Medical')
    await user.keyboard('jj{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Scheduled Session' })).toBeTruthy()
  })

  it('appears at its new time when someone else moves it', async () => {
    const server = serveCalendar([makeSession()])
    await open(server)
    await screen.findByText('9:00 AM · 4 h')
    const moved: CalendarSession = makeSession({
      starts_at: '2036-11-18T19:00:00.000',
      ends_at: '2036-11-18T23:00:00.000',
    })
    server.answer(listSessions, makeCalendar([moved]))
    openLive()
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'businesses', business: 1 }) }))
    expect(await screen.findByText('11:00 AM · 4 h')).toBeTruthy()
  })
})

describe('week list', () => {
  it('shows one day of a strip in a narrow window, and the days with sessions as a list', async () => {
    setWidth(390)
    const { user, router } = await open(serveCalendar([makeSession(), second, elsewhere]))
    // The first day with a session.
    expect(await screen.findByRole('list', { name: 'Tue, Nov 18, 2036' })).toBeTruthy()
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1)
    const strip = within(screen.getByRole('group', { name: 'Day' }))
    expect(strip.getByRole('button', { pressed: true, name: 'Tue, Nov 18, 2036, 2 sessions' })).toBeTruthy()
    await user.click(strip.getByRole('button', { name: 'Wed, Nov 19, 2036, 1 session' }))
    expect(await screen.findByRole('list', { name: 'Wed, Nov 19, 2036' })).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Tue, Nov 18, 2036' })).toBeNull()
    expect(router.state.location.search).toMatchObject({ day: '2036-11-19' })
    await user.click(screen.getByRole('button', { name: 'List' }))
    const day = within(await screen.findByRole('region', { name: 'Tue, Nov 18, 2036' }))
    expect(day.getAllByRole('listitem').length).toBe(2)
    expect(day.getByText('2 sessions')).toBeTruthy()
    expect(day.getAllByText('5 of 12 slots').length).toBe(2)
    expect(screen.getByText('Boston')).toBeTruthy()
    expect(screen.getAllByRole('region').map((part) => part.getAttribute('aria-label'))).toEqual(
      expect.arrayContaining(['Tue, Nov 18, 2036', 'Wed, Nov 19, 2036']),
    )
  })

  it('says in a narrow window too when a week has no session and no block is left', async () => {
    setWidth(390)
    await open(serveCalendar([]))
    expect(await screen.findByText('No sessions this week')).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'Day' })).toBeNull()
  })

  it('can be selected in a wide window', async () => {
    const { user, router } = await open(serveCalendar([makeSession()]))
    await user.click(await screen.findByRole('button', { name: 'List' }))
    expect(await screen.findByRole('region', { name: 'Tue, Nov 18, 2036' })).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ view: 'list' })
  })

  it('shows an error and reloads', async () => {
    const server = serveCalendar().answer(listSessions, new Refusal(500, 'failed', 'The server stumbled.'))
    const { user } = await open(server)
    expect(await screen.findByText("Couldn't load sessions")).toBeTruthy()
    server.answer(listSessions, makeCalendar([makeSession()]))
    await user.click(screen.getByRole('button', { name: /Retry/ }))
    expect(await screen.findByText('Mission Inn Hospitality')).toBeTruthy()
  })
})

const stretcher = {
  id: 21,
  userId: 31,
  firstName: 'Renata',
  lastName: 'Solis',
  email: 'renata@example.com',
  zone: null,
  status: 'active' as const,
  readiness: 'ready' as const,
  hiredAt: '2026-01-05T17:00:00.000Z',
  training: { required: 0, completed: 0 },
  certifications: { valid: 0, expiring: 0, expired: 0, revoked: 0 },
  upcoming: { bookings: 0, onsite: 1, nextAt: null },
  version: 1,
}
