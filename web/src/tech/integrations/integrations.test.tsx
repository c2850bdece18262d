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

/** What the list was last asked for. */
let wanted: Partial<IntegrationQuery> | undefined

function holding(delivery = makeDelivery()) {
  const held = { delivery }
  const server = new FakeServer()
    .answer(countIntegrations, makeCounts())
    .answer(listIntegrations, ({ query: { limit: _, ...query } }) => {
      wanted = query
      const lead = makeEvent({ direction: 'in', id: 5, kind: 'lead', about: 'A lead', status: 'done' })
      return { events: [held.delivery, lead], next: null }
    })
    .answer(readDelivery, () => held.delivery)
    .answer(readInbound, makeInbound())
  return { server, held }
}

describe('the list', () => {
  it('shows both directions with status, tries and last error', async () => {
    const { server } = holding()
    await renderScreen(<Integrations />, { server, path })
    const row = (await screen.findByText('Invoice for Riverside')).closest('tr')
    expect(row?.textContent).toContain('Mail, outgoing')
    expect(row?.textContent).toContain('given up')
    expect(row?.textContent).toContain('550 user unknown')
    expect((await screen.findByText('A lead')).closest('tr')?.textContent).toContain('Lead, inbound')
  })

  it('tells two kinds of one name apart by their direction', async () => {
    const { server } = holding()
    const kinds = [
      { direction: 'out', kind: 'mail' },
      { direction: 'out', kind: 'text' },
      { direction: 'in', kind: 'text_message' },
    ] as const
    server.answer(countIntegrations, makeCounts({ kinds: [...kinds] }))
    await renderScreen(<Integrations />, { server, path })
    const options = () => within(screen.getByLabelText('Kind')).getAllByRole('option')
    await vi.waitFor(() =>
      expect(options().map(({ textContent }) => textContent)).toEqual([
        'Any kind',
        'Mail',
        'Text message, outgoing',
        'Text message, inbound',
      ]),
    )
  })

  it('filters by its cards and by its filters, all in the URL', async () => {
    const { server } = holding()
    const { user, router } = await renderScreen(<Integrations />, { server, path })
    const cards = await screen.findByRole('region', { name: 'Deliveries and inbound events' })
    await user.click(within(cards).getByRole('button', { name: /Given up/ }))
    await vi.waitFor(() => expect(wanted).toEqual({ status: 'dead' }))
    expect(within(cards).getByRole('button', { pressed: true }).textContent).toContain('Given up')
    await user.selectOptions(screen.getByLabelText('Kind'), 'mail')
    await user.type(screen.getByLabelText('Search events'), 'invoice')
    await vi.waitFor(() => expect(router.state.location.search).toEqual({ status: 'dead', kind: 'mail', q: 'invoice' }))
    await vi.waitFor(() => expect(wanted).toEqual({ status: 'dead', kind: 'mail', search: 'invoice' }))
    await user.click(within(cards).getByRole('button', { name: /Given up/ }))
    await vi.waitFor(() => expect(router.state.location.search).toEqual({ kind: 'mail', q: 'invoice' }))
  })

  it('goes on to older events', async () => {
    const { server } = holding()
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

  it('retries everything that was given up, after a question', async () => {
    const { server } = holding()
    server.answer(retryDead, { retried: 3 })
    const { user } = await renderScreen(<Integrations />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Retry all given up' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Retry 3 deliveries that were given up?' })
    expect(server.callCount(retryDead)).toBe(0)
    await user.click(within(dialog).getByRole('button', { name: 'Retry all' }))
    expect(await screen.findByText('3 deliveries set going again.')).toBeTruthy()
  })

  it('says so when there is nothing, and when it could not be loaded', async () => {
    const server = new FakeServer()
      .answer(countIntegrations, makeCounts({ dead: 0 }))
      .answer(listIntegrations, { events: [], next: null })
    const { unmount } = await renderScreen(<Integrations />, { server, path })
    expect(await screen.findByText('Nothing went out or came in yet')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry all given up' })).toBeNull()
    unmount()
    server.answer(listIntegrations, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<Integrations />, { server, path })
    expect(await screen.findByText('The events could not be loaded', undefined, { timeout: 10_000 })).toBeTruthy()
  })
})

describe('one delivery', () => {
  it('shows what may be seen of it, and retries it', async () => {
    const { server, held } = holding()
    server.answer(retryDelivery, () => {
      const retried = { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad' }
      held.delivery = makeDelivery({ status: 'waiting', nextTryAt: '2026-11-14T10:00:00.000Z', retried })
      return held.delivery
    })
    const { user } = await renderScreen(<Integrations />, { server, path: opened })
    const drawer = await screen.findByRole('dialog', { name: 'Invoice for Riverside' })
    expect(await within(drawer).findByText('a•••@example.com')).toBeTruthy()
    expect(within(drawer).getByText('Not shown: headers.')).toBeTruthy()
    await user.click(within(drawer).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('The delivery is tried again now.')).toBeTruthy()
    expect(await within(drawer).findByText(/^Set going again by Omar Haddad on/)).toBeTruthy()
  })

  it('says why it was not retried, also once it is closed', async () => {
    const { server } = holding()
    const answer = Promise.withResolvers<Refusal>()
    server.answer(retryDelivery, () => answer.promise)
    const { user } = await renderScreen(<Integrations />, { server, path: opened })
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    answer.resolve(new Refusal(409, 'under_way', 'This delivery is under way just now.'))
    expect((await screen.findByText('It was not tried again')).closest('[role=alert]')?.textContent).toContain(
      'under way just now',
    )
  })

  it('is discarded with a reason, which is required', async () => {
    const { server, held } = holding()
    server.answer(discardDelivery, ({ body }) => {
      const discarded = { at: '2026-11-14T10:00:00.000Z', by: 'Omar Haddad', reason: body.reason }
      held.delivery = makeDelivery({ status: 'discarded', discarded })
      return held.delivery
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

  it('that nothing is connected for says so', async () => {
    const { server } = holding(makeDelivery({ kind: 'text', status: 'waiting', isConnected: false }))
    await renderScreen(<Integrations />, { server, path: opened })
    expect(await screen.findByText(/^Text message: nothing is connected for it here/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Send now' })).toBeTruthy()
  })
})

it('shows one inbound event', async () => {
  const { server } = holding()
  await renderScreen(<Integrations />, { server, path: `${path}?event=in-5` })
  const drawer = await screen.findByRole('dialog', { name: 'A lead from a form' })
  expect(within(drawer).getByText('No campaign.')).toBeTruthy()
  expect(within(drawer).getByText('holds')).toBeTruthy()
  expect(within(drawer).getByText('req-2')).toBeTruthy()
})
