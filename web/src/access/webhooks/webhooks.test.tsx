// @module-tag slow
import { webhookEvents } from '@limber/contract/access/webhooks/events.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readDelivery,
  redeliver,
  redeliverFailed,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@limber/contract/access/webhooks/webhook.ts'
import { listRecoveries } from '@limber/contract/access/workers/worker.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { findOffWebhooks } from '../today.ts'
import { endpointNote, endpointStatus, recordText } from './webhook-labels.ts'
import Webhooks from './webhooks.screen.tsx'

const PATH = '/worker/tech/access/webhooks'
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDOOyq3m0w5Xk='

const makeEndpoint = (more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: 3,
  url: 'https://api.app.example.com/hooks/limber',
  description: 'Customer app',
  events: ['customer.updated', 'credits.changed'],
  enabled: true,
  includeOwnChanges: false,
  source: null,
  off: null,
  failingSince: null,
  createdAt: '2026-11-01T18:00:00.000Z',
  createdBy: 'Omar Haddad',
  rotation: null,
  delivered: 8412,
  deliveredAtOnce: 8378,
  medianMs: 184,
  waiting: 0,
  failed: 0,
  version: 2,
  ...more,
})
const makeDelivery = (more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: 70,
  eventId: 'evt_70',
  eventType: 'credits.changed',
  record: 'customers 1203',
  state: 'waiting',
  createdAt: '2026-11-17T17:44:02.000Z',
  nextAttemptAt: '2026-11-17T18:19:00.000Z',
  waitsForEarlier: false,
  attempts: [
    { at: '2026-11-17T17:44:02.000Z', status: 502, durationMs: 318, error: null },
    { at: '2026-11-17T17:49:11.000Z', status: null, durationMs: 15_000, error: 'timeout' },
  ],
  ...more,
})
const detail = {
  ...makeDelivery(),
  body: '{"type":"credits.changed","data":{"customer":{"id":1203}}}',
  signature: 'v1,K5oZfzN95Z9UVu1E',
  reply: '502 Bad Gateway\n\n<h1>Bad</h1>',
}

const serve = (...endpoints: WebhookEndpoint[]) =>
  new FakeServer()
    .answer(listRecoveries, { recoveries: [], pagination: paginate(1, 1, 0) })
    .answer(listWebhooks, { endpoints })
    .answer(listDeliveries, {
      deliveries: [
        makeDelivery({ id: 71, eventType: 'customer.updated', attempts: [], waitsForEarlier: true }),
        makeDelivery(),
      ],
      hasMore: false,
    })
    .answer(readDelivery, { delivery: detail })
const open = (server: FakeServer, search = '') => renderScreen(<Webhooks />, { server, path: `${PATH}${search}` })
const fill = (label: string, text: string) =>
  act(() => void fireEvent.change(screen.getByLabelText(label), { target: { value: text } }))
const press = (name: string | RegExp) => screen.findByRole('button', { name })
const asked = (server: FakeServer, call: object) => server.requests.findLast((one) => one.call === call)

describe('words for endpoints', () => {
  it.each([
    [{}, 'On', '2 events, 100% in 24 h'],
    [{ delivered: 0 }, 'On', '2 events, none in 24 h'],
    [{ failingSince: '2026-11-17T08:00:00Z', waiting: 3, failed: 1 }, 'Retrying', '2 events, 4 not delivered'],
    [{ enabled: false, off: { reason: 'gone' as const, at: '2026-11-09T18:00:00Z' } }, 'Off', 'Replied 410 on Nov 9'],
    [{ enabled: false }, 'Off', '2 events, 100% in 24 h'],
  ])('says of %o: %s, %s', (more, status, note) => {
    expect(endpointStatus(makeEndpoint(more)).text).toBe(status)
    expect(endpointNote(makeEndpoint(more))).toBe(note)
  })
  it('names the record', () => {
    expect(['customers 17', 'periods 2026-11-01', ''].map((record) => recordText({ record }))).toEqual([
      'Customer 17',
      'Pay period 2026-11-01',
      'Test',
    ])
  })
})

describe('the list of endpoints', () => {
  it('shows the first one with its figures and deliveries', async () => {
    await open(
      serve(makeEndpoint(), makeEndpoint({ id: 4, description: '', url: 'https://hooks.relay.example.com/t/81' })),
    )
    expect(await screen.findByRole('heading', { name: 'Customer app' })).toBeTruthy()
    expect(screen.getByRole('link', { name: /hooks\.relay\.example\.com/ })).toBeTruthy()
    expect(screen.getByText('8,412')).toBeTruthy()
    expect(screen.getByText('99.6%')).toBeTruthy()
    const table = await screen.findByRole('table', { name: 'Deliveries' })
    const [, first, second] = within(table).getAllByRole('row')
    expect(first?.textContent).toContain('customer.updatedCustomer 1203')
    expect(first?.textContent).toContain('waiting its turn')
    expect(second?.textContent).toContain('2timeout15,000 ms')
  })
  it('opens a delivery to its attempts, request and reply, and sends it again', async () => {
    const again: number[] = []
    const server = serve(makeEndpoint()).answer(redeliver, ({ params }) => {
      again.push(params.deliveryId)
      return { delivery: makeDelivery() }
    })
    const { user, router } = await open(server)
    await user.click(await press(/^Details of credits.changed/))
    expect(router.state.location.searchStr).toBe('?endpoint=3&delivery=70')
    expect(await screen.findByText(/webhook-signature: v1,K5oZfzN95Z9UVu1E/)).toBeTruthy()
    expect(screen.getByText(/502 Bad Gateway/)).toBeTruthy()
    const [, second] = screen.getAllByRole('button', { name: 'Redeliver' })
    await user.click(second as HTMLElement)
    expect(await screen.findByText('Redelivering the event.')).toBeTruthy()
    expect(again).toEqual([70])
  })
  it('filters, and sends everything again that failed', async () => {
    const shown: string[] = []
    const server = serve(makeEndpoint({ waiting: 3, failed: 1 }))
      .answer(redeliverFailed, { count: 4 })
      .answer(listDeliveries, ({ query }) => {
        shown.push(query.show)
        return { deliveries: [makeDelivery()], hasMore: false }
      })
    const { user } = await open(server)
    await user.click(await press(/^Not delivered/))
    await waitFor(() => expect(shown.at(-1)).toBe('open'))
    await user.click(await press('Redeliver failed'))
    expect(await screen.findByText('Redelivering 4 events.')).toBeTruthy()
  })
  it('sends a test event and shows its result', async () => {
    const server = serve(makeEndpoint()).answer(testWebhook, { delivery: makeDelivery({ id: 90 }) })
    const { user, router } = await open(server)
    await user.click(await press('Send test event'))
    expect(await screen.findByText(/Test event sent/)).toBeTruthy()
    expect(router.state.location.searchStr).toContain('delivery=90')
  })
  it('says why an endpoint is off, and switches it on', async () => {
    const off = { reason: 'failing' as const, at: '2026-11-16T18:00:00Z' }
    const endpoint = makeEndpoint({ enabled: false, off, waiting: 1204 })
    const server = serve(endpoint).answer(updateWebhook, { endpoint: { ...endpoint, enabled: true, off: null } })
    const { user } = await open(server)
    expect(await screen.findByText(/after 5 days of failures\./)).toBeTruthy()
    expect(screen.getByText(/1,204 events are waiting/)).toBeTruthy()
    await user.click(screen.getByRole('switch', { name: 'Deliver events' }))
    expect(await screen.findByText('Customer app is on.')).toBeTruthy()
    expect(asked(server, updateWebhook)?.body).toEqual({ enabled: true, version: 2 })
  })
  it('says what a webhook is for when there is none, and offers Retry when loading fails', async () => {
    const server = serve().answer(listWebhooks, new Refusal(503, 'unavailable', 'Try again in a moment.'))
    const { user } = await open(server)
    expect(await screen.findByText("Couldn't load webhooks")).toBeTruthy()
    server.answer(listWebhooks, { endpoints: [] })
    await user.click(await press('Retry'))
    expect(await screen.findByText('No webhooks yet')).toBeTruthy()
  })
})

describe('changing endpoints', () => {
  it('adds one and shows its secret once', async () => {
    const made = makeEndpoint({ id: 9, description: 'Warehouse' })
    const server = serve(makeEndpoint()).answer(createWebhook, { endpoint: made, secret: SECRET })
    const { user } = await open(server)
    await user.click(await press('Add endpoint'))
    const dialog = await screen.findByRole('dialog', { name: 'Add endpoint' })
    const submit = within(dialog).getByRole('button', { name: 'Add endpoint' })
    await user.click(submit)
    expect(await screen.findByText('Select at least one event.')).toBeTruthy()
    fill('URL', 'https://ingest.example.com/limber')
    fill('Description', 'Warehouse')
    await user.click(within(dialog).getByRole('button', { name: 'All' }))
    await user.click(submit)
    const secret = await screen.findByRole('dialog', { name: 'Copy the secret for Warehouse' })
    expect(asked(server, createWebhook)?.body).toEqual({
      url: 'https://ingest.example.com/limber',
      description: 'Warehouse',
      events: [...webhookEvents],
      includeOwnChanges: false,
    })
    expect(within(secret).getByText(SECRET)).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.getByText(SECRET)).toBeTruthy()
    await user.click(within(secret).getByRole('checkbox', { name: 'I saved the secret in a safe place' }))
    await user.click(within(secret).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull())
  })
  it('keeps what was typed when the address is refused', async () => {
    const text = 'This is an internal address. Use an address that is reachable from the internet.'
    const server = serve(makeEndpoint()).answer(createWebhook, new Refusal(422, 'address_not_allowed', text))
    const { user } = await open(server)
    await user.keyboard('c')
    const dialog = await screen.findByRole('dialog', { name: 'Add endpoint' })
    fill('URL', 'https://10.0.0.1/')
    await user.click(within(dialog).getByRole('button', { name: 'Customers' }))
    await user.click(within(dialog).getByRole('button', { name: 'Add endpoint' }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('URL').value).toBe('https://10.0.0.1/')
  })
  it('edits, rotates and deletes', async () => {
    const endpoint = makeEndpoint({ source: 'app' })
    const server = serve(endpoint)
      .answer(updateWebhook, { endpoint: { ...endpoint, description: 'App', version: 3 } })
      .answer(rotateWebhook, {
        endpoint: { ...endpoint, rotation: { at: '2026-11-17T18:00:00Z', oldEndsAt: '2026-11-18T18:00:00Z' } },
        secret: SECRET,
      })
      .answer(deleteWebhook, { success: true })
    const { user } = await open(server)
    await user.click(await press('More for Customer app'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit URL and events' }))
    await screen.findByRole('dialog', { name: 'Edit Customer app' })
    fill('Description', 'App')
    await user.click(screen.getByRole('checkbox', { name: 'Also send changes made by app' }))
    await user.click(await press('Save'))
    expect(await screen.findByText('App saved.')).toBeTruthy()
    expect(asked(server, updateWebhook)?.body).toMatchObject({
      description: 'App',
      includeOwnChanges: true,
      version: 2,
    })
    await user.click(await press('Rotate secret'))
    const rotate = await screen.findByRole('dialog', { name: 'Rotate the secret for Customer app' })
    await user.click(within(rotate).getByRole('button', { name: 'Rotate secret' }))
    const secret = await screen.findByRole('dialog', { name: 'Copy the secret for Customer app' })
    expect(within(secret).getByText(/also signed with the old secret until/)).toBeTruthy()
    await user.click(within(secret).getByRole('checkbox', { name: 'I saved the secret in a safe place' }))
    await user.click(within(secret).getByRole('button', { name: 'Done' }))
    await user.click(await press('More for Customer app'))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(await press('Delete endpoint'))
    expect(await screen.findByText('Customer app deleted.')).toBeTruthy()
  })
})

it('tells Today which endpoints Limber switched off', async () => {
  const off = { reason: 'gone' as const, at: '2026-11-16T18:00:00Z' }
  const server = serve(makeEndpoint({ enabled: false, off, waiting: 2 }), makeEndpoint({ id: 5, enabled: false }))
  await open(server)
  const items = await findOffWebhooks(new AbortController().signal)
  expect(items).toMatchObject([{ id: 'webhook-3', title: 'Webhook endpoint Customer app is turned off' }])
})
