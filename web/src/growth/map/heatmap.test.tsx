import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { readMap } from '@limber/contract/growth/map/map.ts'
import { listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { changeTask, createTask, listTaskAssignees } from '@limber/contract/growth/tasks/task.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { useCity } from '../growth.api.ts'
import { makeCity, makeMap, makeRows, makeTask } from '../growth.testing.ts'
import Heatmap from './heatmap.screen.tsx'

// jsdom cannot draw a map, so these tests cover the tables.
const path = '/growth/heatmap'
const full = () =>
  new FakeServer()
    .answer(readMap, makeMap())
    .answer(readCitySummary, makeCity())
    .answer(listTaskAssignees, { workers: [{ id: 3, name: 'Minh Anh Tran' }] })
const card = (name: RegExp) => screen.getByRole('button', { name })

describe('summary cards', () => {
  it('add up the zones in view and compare them with the previous range', async () => {
    await renderScreen(<Heatmap />, { server: full(), path })
    const cards = await screen.findByRole('region', { name: 'Figures in view' })
    for (const [label, value] of [
      ['Users', '1,584'],
      ['Active Users', '1,804'],
      ['Churned Users', '122'],
      ['Outside Users', '61'],
      ['Active %', '113.9%'],
      ['Compl. Sess.', '1,296'],
      ['Booked Sess.', '192'],
      ['Revenue', '$110,161'],
      ['Payouts', '$49,896'],
      ['Credits', '10'],
      ['$/Sess+Cred', '$73.54'],
      ['Sess/Stretcher', '38.1'],
      ['Avg rating', '4.86'],
    ] as const)
      expect(within(cards).getByText(label, { exact: true, selector: 'span' }).parentElement?.textContent).toContain(
        value,
      )
    expect(within(cards).getAllByRole('button')).toHaveLength(13)
  })

  it('show -- when the divisor is zero', async () => {
    const server = full().answer(readMap, makeMap({ zones: [], outliers: [], outsideUsers: 0 }))
    await renderScreen(<Heatmap />, { server, path })
    await screen.findByText('No zones in this part of the map')
    for (const name of [/Active % --/, /\$\/Sess\+Cred --/, /Sess\/Stretcher --/, /Avg rating --/])
      expect(card(name)).toBeTruthy()
  })

  it('reload for another range', async () => {
    const { user, server, router } = await renderScreen(<Heatmap />, { server: full(), path })
    await user.click(await screen.findByRole('radio', { name: '7D' }))
    expect(router.state.location.href).toBe(`${path}?range=7d`)
    await screen.findByText(/last 7 days/)
    expect(server.callCount(readMap)).toBe(2)
  })

  it('show what failed and reload', async () => {
    const server = full().answer(readMap, new Refusal(500, 'defect', 'Something went wrong.'))
    const { user } = await renderScreen(<Heatmap />, { server, path })
    expect(await screen.findByText("Couldn't load zones")).toBeTruthy()
    server.answer(readMap, makeMap())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('table', { name: 'Zones in view' })).toBeTruthy()
  })
})

describe('zone table', () => {
  it('sorts zones by the figure that shades them', async () => {
    const zones = makeMap().zones.map((zone, place) => ({
      ...zone,
      metrics: { ...zone.metrics, sessions: place * 10 },
    }))
    const { user } = await renderScreen(<Heatmap />, { server: full().answer(readMap, makeMap({ zones })), path })
    const table = await screen.findByRole('table', { name: 'Zones in view' })
    const first = () => within(table).getAllByRole('row')[1]?.textContent
    expect(first()).toContain('Riverside1,284')
    await user.selectOptions(screen.getByLabelText('Shade zones by'), 'Compl. Sess.')
    expect(first()).toContain('Redlands10')
  })
})

/** The props of the map for the selected place. */
function Place() {
  const [zoneId, choose] = useState('')
  const [range, setRange] = useState<'7d' | '30d'>('30d')
  const { data } = useCity(range, zoneId === '' ? undefined : { zoneId })
  return (
    <>
      <output>{data?.name ?? 'nothing'}</output>
      {['1', '2', ''].map((id) => (
        <button key={id} type="button" onClick={() => choose(id)}>
          {id === '' ? 'Close' : `Zone ${id}`}
        </button>
      ))}
      <button type="button" onClick={() => setRange('7d')}>
        7D
      </button>
    </>
  )
}

describe('the place the map flies to', () => {
  it('is never the previous one, and stays while another range loads', async () => {
    const never = new Promise<never>(() => {})
    const server = new FakeServer().answer(readCitySummary, ({ query }) =>
      query.zoneId === 1 && query.range === '30d' ? makeCity() : never,
    )
    const { user } = await renderScreen(<Place />, { server, path })
    const press = (name: string) => user.click(screen.getByRole('button', { name }))
    const place = () => screen.getByRole('status').textContent
    await press('Zone 1')
    await screen.findByText('Riverside')
    await press('7D')
    expect(place()).toBe('Riverside')
    await press('Close')
    await press('Zone 2')
    expect(place()).toBe('nothing')
  })
})

describe('city drawer', () => {
  it('shows figures, payouts, and tasks with their results', async () => {
    const { user, router } = await renderScreen(<Heatmap />, { server: full(), path })
    await user.click(await screen.findByRole('button', { name: 'Riverside' }))
    const drawer = await screen.findByRole('complementary', { name: 'Riverside' })
    expect(router.state.location.href).toBe(`${path}?zone=1`)
    expect(await within(drawer).findByText('Completed Sessions')).toBeTruthy()
    expect(drawer.textContent).toContain('$55,080.50')
    expect(drawer.textContent).toContain('4.86')
    const payouts = within(drawer).getByRole('table', { name: 'Payouts' })
    expect(payouts.textContent).toContain('Session Pay$24,948.00648$38.50')
    expect(payouts.textContent).toContain('Expense Reimbursement$0.000$0.00')
    const outcome = within(drawer).getByText(/^On the day of the task/).parentElement
    expect([...(outcome?.children ?? [])].map((one) => one.textContent)).toEqual([
      'On the day of the task: 1,200 users, 900 active, 600 sessions, $50,000',
      'After 30 days: +38 users, −2 active, +12 sessions, +$800',
      'After 60 days: +41 users, ±0 active, −5 sessions, −$120',
    ])
    await user.click(within(drawer).getByRole('button', { name: 'Close' }))
    expect(router.state.location.href).toBe(path)
  })

  it('opens each number of a city outside every zone to its people', async () => {
    const asked: object[] = []
    const server = full()
      .answer(readCitySummary, makeCity({ name: 'Perris', zoneId: null }))
      .answer(listFigureRows, ({ query }) => {
        asked.push(query)
        return makeRows()
      })
    const { user, router } = await renderScreen(<Heatmap />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Perris' }))
    const drawer = await screen.findByRole('complementary', { name: 'Perris' })
    await user.click(await within(drawer).findByRole('button', { name: /^Active Users/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Active Users' })
    expect(dialog.textContent).toContain('In Perris, outside every zone')
    expect(await within(dialog).findByText('Jordan Reyes')).toBeTruthy()
    expect(asked[0]).toMatchObject({ city: 'Perris', period: 'this' })
    expect(within(dialog).getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain('city=Perris')
    await user.keyboard('{Escape}')
    expect(router.state.location.href).toBe(`${path}?city=Perris`)
  })

  it('opens the payouts of one category', async () => {
    const asked: object[] = []
    const server = full().answer(listFigureRows, ({ query }) => {
      asked.push(query)
      return makeRows({ value: 24_948 })
    })
    const { user } = await renderScreen(<Heatmap />, { server, path: `${path}?zone=1` })
    await user.click(await screen.findByRole('button', { name: 'Session Pay' }))
    const dialog = await screen.findByRole('dialog', { name: 'Payouts' })
    expect(dialog.textContent).toContain('Session Pay. In the zone Riverside')
    expect(await within(dialog).findByText('$24,948.00')).toBeTruthy()
    expect(asked[0]).toMatchObject({ zoneId: 1, category: 'session' })
  })

  it('lists campaigns with what was expected and measured, and starts one', async () => {
    const change = (users: number) => ({ users, activeUsers: 0, sessions: 0, revenue: 0 })
    const mark = (afterDays: number, measured: number | null) => ({
      afterDays,
      day: '2026-11-30',
      expected: change(afterDays / 3),
      measured: measured === null ? null : change(measured),
      similar: measured === null ? null : change(4),
    })
    const result = { cityName: 'Riverside', before: change(100), similar: [], marks: [mark(30, 14), mark(60, null)] }
    const campaign = { id: 7, name: 'Desk workers', status: 'active' as const, start_date: '2026-11-01', result }
    const server = full().answer(readCitySummary, makeCity({ campaigns: [campaign] }))
    await renderScreen(<Heatmap />, { server, path: `${path}?zone=1` })
    const part = within(await screen.findByRole('region', { name: 'Campaigns' }))
    expect(part.getByText('After 30 days: +14 users, +10 expected, +4 like similar zones')).toBeTruthy()
    expect(part.queryByText(/After 60 days/)).toBeNull()
    expect(part.getByRole('link', { name: 'Desk workers' }).getAttribute('href')).toBe('/growth/campaigns?campaign=7')
    expect(part.getByRole('link', { name: 'Start Campaign' }).getAttribute('href')).toBe(
      '/growth/campaigns?place=Riverside',
    )
  })

  it('marks overdue tasks by the company date', async () => {
    const day = (offset: number) => addDays(companyDay(new Date()), offset)
    const tasks = [
      makeTask({ id: 1, title: 'Late', due: day(-1) }),
      makeTask({ id: 2, title: 'Today', due: day(0) }),
      makeTask({ id: 3, title: 'Late but done', due: day(-9), status: 'done' }),
      makeTask({ id: 4, title: 'Whenever', due: null }),
    ]
    const { user } = await renderScreen(<Heatmap />, {
      server: full().answer(readCitySummary, makeCity({ tasks })),
      path,
    })
    await user.click(await screen.findByRole('button', { name: 'Riverside' }))
    const drawer = await screen.findByRole('complementary', { name: 'Riverside' })
    const due = async (title: string) =>
      (await within(drawer).findByLabelText(title)).closest('li')?.firstElementChild?.textContent?.replace(title, '')
    expect(await due('Late')).toBe(`Overdue, was due ${dayText(day(-1))}`)
    expect(await due('Today')).toBe(`Due ${dayText(day(0))}`)
    expect(await due('Late but done')).toBe('')
    expect(await due('Whenever')).toBe('')
    expect(
      within(drawer)
        .getByText(/^Overdue/)
        .getAttribute('data-meaning'),
    ).toBe('red')
  })

  it('finishes a task with its version, and shows a conflict', async () => {
    const stale = new Refusal(409, 'stale', 'Someone else changed this task. Reload and try again.', {
      current: makeTask({ version: 2 }),
    })
    const server = full().answer(changeTask, stale)
    const { user } = await renderScreen(<Heatmap />, { server, path: `${path}?zone=1` })
    await user.click(await screen.findByRole('checkbox', { name: 'Second stretcher pair' }))
    expect(await screen.findByText('Someone else changed this task. Reload and try again.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === changeTask)?.body).toEqual({ status: 'done', version: 1 })
    expect(server.callCount(readCitySummary)).toBe(2)
  })

  it('reports which of two quick changes failed', async () => {
    const answer = Promise.withResolvers<Refusal>()
    const tasks = [makeTask(), makeTask({ id: 6, title: 'Ask around' })]
    const server = full()
      .answer(readCitySummary, makeCity({ tasks }))
      .answer(changeTask, ({ params }) => (params.id === 5 ? answer.promise : makeTask({ id: 6, status: 'done' })))
    const { user } = await renderScreen(<Heatmap />, { server, path: `${path}?zone=1` })
    for (const name of ['Second stretcher pair', 'Ask around'])
      await user.click(await screen.findByRole('checkbox', { name }))
    answer.resolve(new Refusal(500, 'defect', 'Something went wrong.'))
    expect(await screen.findByText("Couldn't change the task")).toBeTruthy()
  })
})

describe('city task dialog', () => {
  const open = async (server: FakeServer) => {
    const view = await renderScreen(<Heatmap />, { server, path })
    await view.user.click(await screen.findByRole('button', { name: 'Create New City Task' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create New City Task' })
    const field = (label: string) => within(dialog).getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
    return { ...view, dialog, field }
  }

  it('fills the title from the city until it is edited, and clears it with the city', async () => {
    const { user, field } = await open(full())
    await user.type(field('City Name'), 'Hemet')
    expect(field('Task Title').value).toBe('Open city: Hemet')
    await user.clear(field('City Name'))
    expect(field('Task Title').value).toBe('')
    await user.type(field('City Name'), 'Ind')
    await user.clear(field('Task Title'))
    await user.type(field('Task Title'), 'Ask around')
    await user.type(field('City Name'), 'io')
    expect(field('Task Title').value).toBe('Ask around')
  })

  it('sends what the API expects', async () => {
    const server = full().answer(createTask, ({ body }) => makeTask({ title: body.title }))
    const { user, dialog, field } = await open(server)
    await user.type(field('City Name'), 'Hemet')
    await user.selectOptions(field('Priority'), 'High')
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Task created successfully!')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === createTask)?.body).toMatchObject({
      cityName: 'Hemet',
      title: 'Open city: Hemet',
      priority: 'high',
      type: 'growth',
    })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps the typed text when saving fails', async () => {
    const server = full().answer(createTask, new Refusal(500, 'defect', 'Something went wrong.'))
    const { user, dialog, field } = await open(server)
    await user.type(field('City Name'), 'Hemet')
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Failed to create task. Please try again.')).toBeTruthy()
    expect(field('City Name').value).toBe('Hemet')
  })

  it('starts with the city of a circle', async () => {
    const { user } = await renderScreen(<Heatmap />, { server: full(), path })
    await user.click(await screen.findByRole('button', { name: 'Add City Task for Perris' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add City Task' })
    expect(within(dialog).getByLabelText<HTMLInputElement>(/^Task Title/).value).toBe('Open city: Perris')
  })
})
