import { checkHealth, readHealth } from '@limber/contract/tech/health/health.ts'
import { countIntegrations } from '@limber/contract/tech/integrations/integration.ts'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { closeLive, openLive } from '#platform/live/live.ts'
import { FakeEventSource, FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { makeCheck, makeCounts, makeHealth } from '../tech.testing.ts'
import { findFailedDeliveries, findHealthProblems } from '../today.ts'
import SystemHealth from './health.screen.tsx'
import { historyText } from './health-labels.ts'

const path = '/worker/tech/health'
const down = makeCheck({ name: 'mail', title: 'Email', status: 'down', summary: 'No response within 8 seconds.' })
const unset = makeCheck({
  name: 'texts',
  title: 'Text messages',
  status: 'not_connected',
  summary: 'No text message service is set up.',
  latency: null,
  facts: [],
})

describe('System health', () => {
  it('shows status, summary, latency, facts and history of each component', async () => {
    const server = new FakeServer().answer(readHealth, makeHealth([makeCheck(), unset]))
    await renderScreen(<SystemHealth />, { server, path })
    const database = await screen.findByRole('region', { name: 'Database' })
    expect(database.textContent).toContain('Responds in 2 ms.')
    expect(database.textContent).toContain('checked in 8 ms')
    expect(database.textContent).toContain('95 MB')
    expect(within(database).getByRole('img', { name: 'Last 24 hours: OK for 24 h' })).toBeTruthy()
    const texts = screen.getByRole('region', { name: 'Text messages' })
    expect(within(texts).getByText('Not connected')).toBeTruthy()
    expect(texts.textContent).not.toContain('checked in')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('formats timestamps in facts', async () => {
    const facts = [{ label: 'Sealed', value: '2026-11-14T17:41:09.000Z' }]
    const server = new FakeServer().answer(readHealth, makeHealth([makeCheck({ facts })]))
    await renderScreen(<SystemHealth />, { server, path })
    expect(await screen.findByText(momentText('2026-11-14T17:41:09.000Z'))).toBeTruthy()
  })

  it('shows problems in a banner', async () => {
    const server = new FakeServer().answer(readHealth, makeHealth([makeCheck(), down]))
    await renderScreen(<SystemHealth />, { server, path })
    expect((await screen.findByRole('alert')).textContent).toBe('Email: No response within 8 seconds.')
  })

  it('links a component to the screen where its problems can be fixed', async () => {
    const failing = makeCheck({ name: 'deliveries', title: 'Deliveries', status: 'warning', summary: '3 failed.' })
    const server = new FakeServer().answer(readHealth, makeHealth([makeCheck(), failing]))
    await renderScreen(<SystemHealth />, { server, path, session: makeSession(['health.view', 'integrations.events']) })
    await screen.findByRole('region', { name: 'Deliveries' })
    const links = screen.getAllByRole('link', { name: 'Deliveries' }).map((link) => link.getAttribute('href'))
    expect(links).toEqual(Array(2).fill('/worker/tech/integrations?status=dead'))
    expect(screen.queryByRole('link', { name: 'Database' })).toBeNull()
  })

  it('warns when checks have stopped or never ran', async () => {
    const server = new FakeServer().answer(readHealth, makeHealth([makeCheck()], { isStale: true }))
    const { unmount } = await renderScreen(<SystemHealth />, { server, path })
    expect(await screen.findByText(/^The last check was on/)).toBeTruthy()
    unmount()
    server.answer(readHealth, makeHealth([], { checkedAt: null, isStale: true }))
    await renderScreen(<SystemHealth />, { server, path })
    expect(await screen.findByText('No checks yet')).toBeTruthy()
  })

  it('runs a check now, and shows why it failed', async () => {
    const server = new FakeServer()
      .answer(readHealth, makeHealth([makeCheck()]))
      .answer(checkHealth, makeHealth([makeCheck({ summary: 'Responds in 9 ms.' })]))
    const { user } = await renderScreen(<SystemHealth />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Check now' }))
    expect(await screen.findByText('Responds in 9 ms.')).toBeTruthy()
    server.answer(checkHealth, new Refusal(429, 'too_many', 'Too many requests.'))
    await user.click(screen.getByRole('button', { name: 'Check now' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.')
  })

  it('updates live', async () => {
    vi.stubGlobal('EventSource', FakeEventSource)
    let health = makeHealth([makeCheck()])
    const server = new FakeServer().answer(readHealth, () => health)
    await renderScreen(<SystemHealth />, { server, path })
    await screen.findByRole('region', { name: 'Database' })
    openLive()
    health = makeHealth([makeCheck({ status: 'warning', summary: 'Slow response: 900 ms.' })])
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'health' }) }))
    expect(await screen.findByText('Slow response: 900 ms.')).toBeTruthy()
    closeLive()
  })
})

describe('Today items', () => {
  const signal = new AbortController().signal
  it('lists problems, worst first, and failed deliveries', async () => {
    const slow = makeCheck({ status: 'warning', summary: 'Slow response.' })
    new FakeServer()
      .answer(readHealth, makeHealth([slow, unset, down]))
      .answer(countIntegrations, makeCounts({ dead: 1 }))
      .install()
    expect((await findHealthProblems(signal)).map(({ title, detail }) => [title, detail])).toEqual([
      ['Email: down', 'No response within 8 seconds.'],
      ['Database: warning', 'Slow response.'],
    ])
    expect(await findFailedDeliveries(signal)).toMatchObject([
      { title: '1 delivery failed', path: '/worker/tech/integrations?status=dead' },
    ])
  })
  it('is empty without problems', async () => {
    new FakeServer()
      .answer(readHealth, makeHealth([makeCheck(), unset]))
      .answer(countIntegrations, makeCounts({ dead: 0 }))
      .install()
    expect(await findHealthProblems(signal)).toEqual([])
    expect(await findFailedDeliveries(signal)).toEqual([])
  })
})

describe('historyText', () => {
  it('adds up the 15-minute slots', () => {
    expect(historyText(['ok', 'ok', 'down', 'warning', 'ok', 'ok', null])).toBe(
      'Last 24 hours: down for 15 min, warning for 15 min, OK for 1 h',
    )
    expect(historyText([null])).toBe('Last 24 hours: no checks')
  })
})
