// @module-tag slow
import {
  countIntegrations,
  discardDelivery,
  type IntegrationQuery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from '@limber/contract/tech/integrations/integration.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeCounts, makeDelivery, makeEvent, makeInbound } from '../tech.testing.ts'
import Integrations from './integrations.screen.tsx'

const path = '/worker/tech/integrations'
const opened = `${path}?event=out-12`

/** The last query of the list. */
let lastQuery: Partial<IntegrationQuery> | undefined

function makeServer(delivery = makeDelivery()) {
  const state = { delivery }
  const server = new FakeServer()
    .answer(countIntegrations, makeCounts())
    .answer(listIntegrations, ({ query: { limit: _, ...query } }) => {
      lastQuery = query
      const lead = makeEvent({ direction: 'in', id: 5, kind: 'lead', about: 'A lead', status: 'done' })
      return { events: [state.delivery, lead], next: null }
    })
    .answer(readDelivery, () => state.delivery)
    .answer(readInbound, makeInbound())
  return { server, state }
}

describe('integration events', () => {
  it('shows both directions with status, attempts and last error', async () => {
    const { server } = makeServer()
    await renderScreen(<Integrations />, { server, path })
    const row = (await screen.findByText('Invoice for Riverside')).closest('tr')
    expect(row?.textContent).toContain('Email, outgoing')
    expect(row?.textContent).toContain('Failed')
    expect(row?.textContent).toContain('550 user unknown')
    expect((await screen.findByText('A lead')).closest('tr')?.textContent).toContain('Lead, inbound')
  })

  it('adds the direction to kinds with the same label', async () => {
    const { server } = makeServer()
    const kinds = [
      { direction: 'out', kind: 'mail' },
      { direction: 'out', kind: 'text' },
      { direction: 'in', kind: 'text_message' },
    ] as const
    server.answer(countIntegrations, makeCounts({ kinds: [...kinds] }))
    await renderScreen(<Integrations />, { server, path })
    const options = () => within(screen.getByLabelText('Type')).getAllByRole('option')
    await vi.waitFor(() =>
      expect(options().map(({ textContent }) => textContent)).toEqual([
        'Any type',
        'Email',
        'Text message, outgoing',
        'Text message, inbound',
      ]),
    )
  })

  it('filters by counts and filters, and keeps them in the URL', async () => {
    const { server } = makeServer()
    const { user, router } = await renderScreen(<Integrations />, { server, path })
    const cards = await screen.findByRole('region', { name: 'Deliveries and inbound events' })
    await user.click(within(cards).getByRole('button', { name: /Failed/ }))
    await vi.waitFor(() => expect(lastQuery).toEqual({ status: 'dead' }))
    expect(within(cards).getByRole('button', { pressed: true }).textContent).toContain('Failed')
    await user.selectOptions(screen.getByLabelText('Type'), 'mail')
    await user.type(screen.getByLabelText('Search events'), 'invoice')
    await vi.waitFor(() => expect(router.state.location.search).toEqual({ status: 'dead', kind: 'mail', q: 'invoice' }))
    await vi.waitFor(() => expect(lastQuery).toEqual({ status: 'dead', kind: 'mail', search: 'invoice' }))
    await user.click(within(cards).getByRole('button', { name: /Failed/ }))
    await vi.waitFor(() => expect(router.state.location.search).toEqual({ kind: 'mail', q: 'invoice' }))
  })

  it('pages to older events', async () => {
    const { server } = makeServer()
    server.answer(listIntegrations, ({ query }) => ({
      events: [makeEvent({ about: query.before ? 'an older one' : 'a new one' })],
      next: query.before ? null : '17.out.3',
    }))
    const { user } = await renderScreen(<Integrations />, { server, path })
    await screen.findByText('A new one')
    await user.click(screen.getByRole('button', { name: 'Older' }))
    expect(await screen.findByText('An older one')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Newest' }))
    expect(await screen.findByText('A new one')).toBeTruthy()
  })

  it('retries all failed deliveries after a confirmation', async () => {
    const { server } = makeServer()
    server.answer(retryDead, { retried: 3 })
    const { user } = await renderScreen(<Integrations />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Retry all failed' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Retry 3 failed deliveries?' })
    expect(server.callCount(retryDead)).toBe(0)
    await user.click(within(dialog).getByRole('button', { name: 'Retry all' }))
    expect(await screen.findByText('Retrying 3 deliveries.')).toBeTruthy()
  })

  it('shows the empty state and a loading error', async () => {
    const server = new FakeServer()
      .answer(countIntegrations, makeCounts({ dead: 0 }))
      .answer(listIntegrations, { events: [], next: null })
    const { unmount } = await renderScreen(<Integrations />, { server, path })
    expect(await screen.findByText('No events yet')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry all failed' })).toBeNull()
    unmount()
    server.answer(listIntegrations, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<Integrations />, { server, path })
    expect(await screen.findByText("Couldn't load events", undefined, { timeout: 10_000 })).toBeTruthy()
  })
})

describe('delivery', () => {
  it('shows the visible fields and retries', async () => {
    const { server, state } = makeServer()
    server.answer(retryDelivery, () => {
      const retried = { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad' }
      state.delivery = makeDelivery({ status: 'waiting', nextTryAt: '2026-11-14T10:00:00.000Z', retried })
      return state.delivery
    })
    const { user } = await renderScreen(<Integrations />, { server, path: opened })
    const drawer = await screen.findByRole('dialog', { name: 'Invoice for Riverside' })
    expect(await within(drawer).findByText('a•••@example.com')).toBeTruthy()
    expect(within(drawer).getByText('Not shown: headers.')).toBeTruthy()
    await user.click(within(drawer).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Retrying the delivery.')).toBeTruthy()
    expect(await within(drawer).findByText(/^Retried by Omar Haddad on/)).toBeTruthy()
  })

  it('shows why a retry failed, even after the dialog is closed', async () => {
    const { server } = makeServer()
    const answer = Promise.withResolvers<Refusal>()
    server.answer(retryDelivery, () => answer.promise)
    const { user } = await renderScreen(<Integrations />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    answer.resolve(new Refusal(409, 'under_way', 'This delivery is being sent right now.'))
    expect((await screen.findByText("Couldn't retry the delivery")).closest('[role=alert]')?.textContent).toContain(
      'being sent right now',
    )
  })

  it('is discarded with a required reason', async () => {
    const { server, state } = makeServer()
    server.answer(discardDelivery, ({ body }) => {
      const discarded = { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad', reason: body.reason }
      state.delivery = makeDelivery({ status: 'discarded', discarded })
      return state.delivery
    })
    const { user } = await renderScreen(<Integrations />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    const dialog = await screen.findByRole('dialog', { name: 'Discard this delivery?' })
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }))
    expect(server.callCount(discardDelivery)).toBe(0)
    await user.type(within(dialog).getByLabelText('Reason'), 'Partner has closed')
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }))
    expect((await screen.findByText(/^Discarded by Omar Haddad on/)).textContent).toContain('Partner has closed')
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it('says that no service is connected', async () => {
    const { server } = makeServer(makeDelivery({ kind: 'text', status: 'waiting', isConnected: false }))
    await renderScreen(<Integrations />, { server, path: opened })
    expect(await screen.findByText(/^Text message: no service is connected/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Send now' })).toBeTruthy()
  })
})

it('shows an inbound event', async () => {
  const { server } = makeServer()
  await renderScreen(<Integrations />, { server, path: `${path}?event=in-5` })
  const drawer = await screen.findByRole('dialog', { name: 'A lead from a form' })
  expect(within(drawer).getByText('No campaign.')).toBeTruthy()
  expect(within(drawer).getByText('valid')).toBeTruthy()
  expect(within(drawer).getByText('req-2')).toBeTruthy()
})
