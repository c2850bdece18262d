import {
  listSchedules,
  pauseSchedule,
  readSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleDetail,
} from '@limber/contract/automation/schedule.ts'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { closeLive, openLive } from '#platform/live/live.ts'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Automation from './automation.screen.tsx'
import { makePaused, makeRun, makeSchedule } from './schedule.testing.ts'

/** A server with one schedule that tests can change while the screen is open. */
function serverWith(schedule: ScheduleDetail) {
  const current = { schedule }
  const server = new FakeServer()
    .answer(listSchedules, () => [
      current.schedule,
      makeSchedule({ name: 'tidy', title: 'Forget old keys', runs: [], lastRun: null }),
    ])
    .answer(readSchedule, () => current.schedule)
  return { server, current }
}

const path = '/worker/tech/automation'
const opened = `${path}?schedule=payroll-pay-day`
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const row = (name: RegExp) => within(screen.getByRole('region', { name: 'Schedules' })).findByRole('link', { name })

describe('schedule list', () => {
  it('shows name, status and next run, and who paused a schedule and why', async () => {
    const { server } = serverWith(makePaused())
    await renderScreen(<Automation />, { server, path })
    const paused = await row(/Run payroll/)
    expect(within(paused).getByText('Inactive')).toBeTruthy()
    expect(paused.textContent).toContain('payroll-pay-day')
    expect(paused.textContent).toContain('Robin Vale: The bank is closed')
    expect(paused.querySelector('time')).toBeNull()
    const active = await row(/Forget old keys/)
    expect(within(active).getByText('Active')).toBeTruthy()
    expect(active.querySelector('time')?.dateTime).toBe('2026-11-15T14:00:00.000Z')
    expect(screen.getByText('Scheduled background work: 1 active, 1 inactive.')).toBeTruthy()
  })

  it('sums up beside the list what is paused and what runs next', async () => {
    const { server } = serverWith(makePaused())
    await renderScreen(<Automation />, { server, path })
    const paused = within(await screen.findByRole('list', { name: 'Paused' }))
    expect(paused.getByRole('link', { name: /Run payroll/ }).getAttribute('href')).toBe(opened)
    expect(paused.getByText('Robin Vale: The bank is closed')).toBeTruthy()
    expect(within(screen.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem')).toHaveLength(1)
  })

  it('opens a schedule and keeps it in the URL', async () => {
    const { server } = serverWith(makeSchedule())
    const { user, router } = await renderScreen(<Automation />, { server, path })
    expect(screen.getByText('Select a schedule')).toBeTruthy()
    await user.click(await row(/Run payroll/))
    expect(await screen.findByRole('heading', { name: /Run payroll/ })).toBeTruthy()
    expect(router.state.location.href).toBe(opened)
    await user.click(button('Schedules'))
    expect(router.state.location.href).toBe(path)
  })

  it('shows a failed load and retries', async () => {
    const server = new FakeServer().answer(
      listSchedules,
      new Refusal(503, 'unavailable', 'The service is briefly unavailable.'),
    )
    const { user } = await renderScreen(<Automation />, { server, path })
    expect(await screen.findByText("Couldn't load schedules", undefined, { timeout: 10_000 })).toBeTruthy()
    server.answer(listSchedules, [])
    await user.click(button('Retry'))
    expect(await screen.findByText('No schedules yet')).toBeTruthy()
  })
})

describe('schedule details', () => {
  it('shows timing, time zone, last run, last error, runs and the next three', async () => {
    const failed = makeRun({ id: 40, state: 'failed', error: 'The bank did not answer.', result: null, tries: 2 })
    const byHand = makeRun({ trigger: 'worker', by: 'Robin Vale' })
    const { server } = serverWith(
      makeSchedule({
        runs: [byHand, failed],
        lastError: { at: '2026-11-13T14:00:02.000Z', text: 'The bank did not answer.' },
      }),
    )
    await renderScreen(<Automation />, { server, path: opened })
    const when = await screen.findByRole('region', { name: 'When it runs' })
    expect(when.textContent).toContain('Every day at 6:00 AM 0 6 * * *')
    expect(when.textContent).toContain('America/Los_Angeles')
    expect(when.querySelectorAll('time')).toHaveLength(3)
    const last = screen.getByRole('region', { name: 'Last run' })
    expect(last.textContent).toContain('Robin Vale')
    expect(last.textContent).toContain('1.3 s')
    expect(last.textContent).toContain('The bank did not answer.')
    const rows = within(screen.getByRole('table', { name: 'Runs, newest first' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map((one) => one.textContent)).toEqual([
      expect.stringMatching(/Done1\.3 sRobin Valepaid 3$/),
      expect.stringMatching(/Failed1\.3 sScheduleThe bank did not answer\. \(2 attempts\)$/),
    ])
  })

  it('handles a schedule that never ran or does not exist', async () => {
    const { server } = serverWith(makeSchedule({ runs: [], lastRun: null }))
    const { unmount } = await renderScreen(<Automation />, { server, path: opened })
    expect(await screen.findByText('No runs yet.')).toBeTruthy()
    expect(screen.getByText('No runs yet')).toBeTruthy()
    unmount()
    server.answer(readSchedule, new Refusal(404, 'not_found', 'This schedule does not exist.'))
    await renderScreen(<Automation />, { server, path: opened })
    expect(await screen.findByText('This schedule does not exist.')).toBeTruthy()
  })

  it('runs now, but not twice at the same time', async () => {
    const { server, current } = serverWith(makeSchedule())
    server.answer(runSchedule, () => {
      const waiting = makeRun({ id: 42, state: 'waiting', startedAt: null, endedAt: null, duration: null })
      current.schedule = makeSchedule({ isUnderWay: true, runs: [waiting, makeRun()] })
      return current.schedule
    })
    const { user } = await renderScreen(<Automation />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Run now' }))
    expect(await screen.findByText('“Run payroll” started.')).toBeTruthy()
    expect(button('Running').disabled).toBe(true)
    expect(server.callCount(runSchedule)).toBe(1)
  })

  it('shows why it could not run', async () => {
    const { server } = serverWith(makeSchedule())
    server.answer(runSchedule, new Refusal(409, 'under_way', 'This schedule is already running.'))
    const { user } = await renderScreen(<Automation />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Run now' }))
    expect((await screen.findByRole('alert')).textContent).toContain('This schedule is already running.')
  })

  it('requires a reason to pause', async () => {
    const { server, current } = serverWith(makeSchedule())
    server.answer(pauseSchedule, ({ body }) => {
      current.schedule = makePaused({ pausedReason: body.reason })
      return current.schedule
    })
    const { user } = await renderScreen(<Automation />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Pause' }))
    const dialog = await screen.findByRole('dialog', { name: 'Pause “Run payroll”?' })
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }))
    expect(server.callCount(pauseSchedule)).toBe(0)
    await user.type(within(dialog).getByLabelText('Reason'), 'Year end')
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }))
    expect(await screen.findByText(/^Paused by Robin Vale on/)).toBeTruthy()
    expect(server.requests.find(({ call }) => call === pauseSchedule)?.body).toEqual({ reason: 'Year end', version: 1 })
    expect(screen.getByText('None while inactive')).toBeTruthy()
    expect((await row(/Run payroll/)).textContent).toContain('Robin Vale: Year end')
  })

  it('keeps the reason after a conflict and shows the current schedule', async () => {
    const { server, current } = serverWith(makeSchedule())
    server.answer(pauseSchedule, () => {
      current.schedule = makePaused()
      return new Refusal(409, 'stale', 'Someone else changed this schedule. Reload and try again.', {
        current: current.schedule,
      })
    })
    const { user } = await renderScreen(<Automation />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Pause' }))
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByLabelText('Reason'), 'Year end')
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }))
    expect(await within(dialog).findByText('Someone else changed this schedule. Reload and try again.')).toBeTruthy()
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Year end')
    expect(await screen.findByText(/^Paused by Robin Vale on/)).toBeTruthy()
  })

  it('resumes with a reason', async () => {
    const { server, current } = serverWith(makePaused())
    server.answer(resumeSchedule, () => {
      current.schedule = makeSchedule({ version: 3 })
      return current.schedule
    })
    const { user } = await renderScreen(<Automation />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Resume' }))
    const dialog = await screen.findByRole('dialog', { name: 'Resume “Run payroll”?' })
    await user.type(within(dialog).getByLabelText('Reason'), 'It is open')
    await user.click(within(dialog).getByRole('button', { name: 'Resume' }))
    expect(await screen.findByText('“Run payroll” resumed.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === resumeSchedule)?.body).toEqual({
      reason: 'It is open',
      version: 2,
    })
    expect(button('Pause')).toBeTruthy()
  })

  it('shows a failed run live', async () => {
    vi.stubGlobal('EventSource', FakeEventSource)
    const { server, current } = serverWith(makeSchedule())
    await renderScreen(<Automation />, { server, path: opened })
    await screen.findByRole('button', { name: 'Run now' })
    openLive()
    current.schedule = makeSchedule({
      runs: [makeRun({ id: 43, state: 'failed', error: 'No space left.' }), makeRun()],
    })
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'automation', runId: 43 }) }))
    expect(await screen.findByText('No space left.')).toBeTruthy()
    expect(await screen.findByText('Last run failed')).toBeTruthy()
    closeLive()
  })
})
