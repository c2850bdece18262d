// @module-tag slow
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  readApiKeyUsage,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '@limber/contract/access/api-keys/api-key.ts'
import { apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { listRecoveries } from '@limber/contract/access/workers/worker.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { now } from '#platform/clock.ts'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import ApiKeys from './api-keys.screen.tsx'
import { errorRate, keyStatus, scopesLabel } from './key-labels.ts'

const PATH = '/worker/tech/access/api-keys'
const TOKEN = 'lmb_7Kq2mB9x_wZ8kQ2nXfL5sJ1dYpA7hB0uCgT4mE6rKaaaabbbb'
const today = companyDay(now())
const ago = (days: number) => new Date(now().getTime() - days * 86_400_000).toISOString()

const makeKey = (more: Partial<ApiKey> = {}): ApiKey => ({
  id: 4,
  publicId: '7Kq2mB9x',
  name: 'Customer app',
  source: 'app',
  scopes: ['customers:read', 'customers:write', 'events:write'],
  networks: ['203.0.113.0/24'],
  requestsPerMinute: 600,
  expiresOn: null,
  expiresAt: null,
  createdAt: '2026-03-04T18:00:00.000Z',
  createdBy: 'Omar Haddad',
  revokedAt: null,
  revokedBy: null,
  lastUsedAt: ago(0),
  lastUsedAddress: '203.0.113.24',
  rotation: null,
  calls: 1_204_881,
  errors: 241,
  version: 3,
  ...more,
})
const days = Array.from({ length: 30 }, (_, place) => ({
  day: addDays(today, place - 29),
  calls: 1000 + place,
  errors: place === 20 ? 96 : 0,
}))

const serve = (...keys: ApiKey[]) =>
  new FakeServer()
    .answer(listRecoveries, { recoveries: [], pagination: paginate(1, 1, 0) })
    .answer(listApiKeys, { keys, deprecated: [] })
    .answer(readApiKeyUsage, { days, peakToday: 214 })
const open = (server: FakeServer, search = '') => renderScreen(<ApiKeys />, { server, path: `${PATH}${search}` })
const fill = (label: string, text: string) =>
  act(() => void fireEvent.change(screen.getByLabelText(label), { target: { value: text } }))
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const press = (name: string | RegExp) => screen.findByRole('button', { name })
const asked = (server: FakeServer, call: object) => server.requests.findLast((one) => one.call === call)?.body

describe('words for keys', () => {
  it.each([
    [['customers:read', 'customers:write', 'events:write'], 'customers, events'],
    [['training:write'], 'training: write'],
    [['leads:read', 'zones:read'], 'zones, leads: read'],
    [apiScopes.filter((scope) => scope.endsWith(':read')), 'everything: read'],
    [apiScopes.slice(0, 14), 'customers, bookings, transactions, credits, 3 more'],
    [apiScopes, 'everything'],
  ] as const)('says %s as %s', (scopes, text) => {
    expect(scopesLabel(scopes)).toBe(text)
  })

  it.each([
    [0, 0, '–'],
    [100, 0, '0%'],
    [1_204_881, 241, '0.02%'],
    [9412, 292, '3.1%'],
  ])('writes of %d calls %d errors as %s', (calls, errors, text) => {
    expect(errorRate({ calls, errors })).toBe(text)
  })

  const at = new Date('2026-11-17T18:00:00Z')
  it.each([
    [{}, 'Active'],
    [{ lastUsedAt: null }, 'Never used'],
    [{ lastUsedAt: '2026-10-04T18:00:00Z' }, 'Unused for 44 days'],
    [{ expiresOn: '2026-11-29', expiresAt: '2026-11-30T08:00:00Z' }, 'Expires in 12 days'],
    [{ expiresOn: '2026-11-17', expiresAt: '2026-11-18T08:00:00Z' }, 'Expires today'],
    [{ expiresOn: '2026-11-16', expiresAt: '2026-11-17T08:00:00Z' }, 'Expired'],
    [{ revokedAt: '2026-11-17T08:00:00Z' }, 'Revoked'],
    [
      { rotation: { at: '2026-11-17T08:00:00Z', by: null, oldEndsAt: '2026-11-18T00:00:00Z' } },
      'Rotating until 4:00 PM',
    ],
    [{ rotation: { at: '2026-11-10T08:00:00Z', by: null, oldEndsAt: '2026-11-11T00:00:00Z' } }, 'Active'],
  ])('names the state of %o', (more, text) => {
    expect(keyStatus(makeKey({ lastUsedAt: '2026-11-17T17:00:00Z', ...more }), at).text).toBe(text)
  })
})

describe('the list of keys', () => {
  it('shows what each may do and how it is used, and the first one in detail', async () => {
    await open(serve(makeKey(), makeKey({ id: 5, name: 'Old site', revokedAt: ago(2), revokedBy: 'Omar Haddad' })))
    expect(await screen.findByText('1 in use')).toBeTruthy()
    const table = screen.getByRole('table', { name: 'API keys' })
    const [, first, second] = within(table).getAllByRole('row')
    expect(first?.textContent).toContain('Customer applmb_7Kq2mB9x_…appcustomers, events')
    expect(first?.textContent).toContain('203.0.113.241,204,8810.02%NeverActive')
    expect(second?.textContent).toContain('Revoked')
    expect(within(second as HTMLElement).queryByRole('button', { name: /Actions/ })).toBeNull()
    expect(await screen.findByText('600 calls per minute, highest today 214')).toBeTruthy()
    expect(screen.getByText('Write only').nextSibling?.textContent).toBe('events')
    expect(
      await screen.findByRole('img', { name: /Calls per day for 30 days, between 1,000 and 1,029; most errors on/ }),
    ).toBeTruthy()
    expect(screen.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe('/api/docs')
  })

  it('keeps the open key in the URL', async () => {
    const { user, router } = await open(serve(makeKey(), makeKey({ id: 5, name: 'Data warehouse', networks: [] })))
    await user.click(await press(/^Data warehouse/))
    expect(router.state.location.searchStr).toBe('?key=5')
    expect(await screen.findByText('Any address')).toBeTruthy()
  })

  it('says what a key is for when there is none', async () => {
    const { user } = await open(serve())
    expect(await screen.findByText('No API keys yet')).toBeTruthy()
    const [, inList] = screen.getAllByRole('button', { name: 'Create API key' })
    await user.click(inList as HTMLElement)
    expect(await screen.findByRole('dialog', { name: 'Create API key' })).toBeTruthy()
  })

  it('says that it could not be loaded, with Retry', async () => {
    const server = serve(makeKey()).answer(listApiKeys, new Refusal(503, 'unavailable', 'Try again in a moment.'))
    const { user } = await open(server)
    expect(await screen.findByText("Couldn't load API keys")).toBeTruthy()
    server.answer(listApiKeys, { keys: [makeKey()], deprecated: [] })
    await user.click(await press('Retry'))
    expect(await screen.findByRole('heading', { name: 'Customer app' })).toBeTruthy()
  })

  it('offers the key that replaces a deprecated variable', async () => {
    const deprecated = [{ variable: 'EVENT_INGEST_KEY', scope: 'events:write' as const, callsToday: 214 }]
    const { user } = await open(serve(makeKey()).answer(listApiKeys, { keys: [makeKey()], deprecated }))
    expect(await screen.findByText('EVENT_INGEST_KEY is still in use.')).toBeTruthy()
    await user.click(await press('Create the key'))
    await screen.findByRole('dialog', { name: 'Create API key' })
    expect(box('Events: write').checked).toBe(true)
    expect(screen.getByText('1 of 36')).toBeTruthy()
  })
})

describe('creating a key', () => {
  it('asks for name, source and scopes, and shows the key once', async () => {
    const made = makeKey({ id: 9, name: 'Staging', lastUsedAt: null, lastUsedAddress: null })
    const server = serve(makeKey()).answer(createApiKey, { key: made, token: TOKEN })
    const { user, router } = await open(server)
    await user.click(await press('Create API key'))
    await screen.findByRole('dialog', { name: 'Create API key' })
    expect(screen.getByText('You confirm with your passkey')).toBeTruthy()
    fill('Name', 'Staging')
    fill('Source', 'app-staging')
    fill('Allowed networks', '203.0.113.0/24, 2001:db8::/32')
    await user.click(await press('Customer app'))
    expect(screen.getByText('19 of 36')).toBeTruthy()
    expect(box('Stretchers: write').checked).toBe(false)
    await user.click(await press('None'))
    await user.click(box('Leads: write'))
    server.answer(listApiKeys, { keys: [makeKey(), made], deprecated: [] })
    await user.click(await press('Create key'))
    const dialog = await screen.findByRole('dialog', { name: 'Copy the key for Staging' })
    expect(asked(server, createApiKey)).toEqual({
      name: 'Staging',
      source: 'app-staging',
      scopes: ['leads:write'],
      expiresOn: null,
      networks: ['203.0.113.0/24', '2001:db8::/32'],
      requestsPerMinute: 600,
    })
    expect(within(dialog).getByText(TOKEN)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe(TOKEN)
    await user.click(within(dialog).getByRole('button', { name: 'Copy command' }))
    expect(await navigator.clipboard.readText()).toContain(`/api/v1/me \\\n  -H "Authorization: Bearer ${TOKEN}"`)
    const done = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Done' })
    expect(done.disabled).toBe(true)
    // A key too many must not lose what is shown once.
    await user.keyboard('{Escape}')
    expect(screen.getByText(TOKEN)).toBeTruthy()

    expect(within(dialog).getByText(/Waiting for the first call/)).toBeTruthy()
    const used = { ...made, lastUsedAt: ago(0), lastUsedAddress: '198.51.100.7' }
    server.answer(listApiKeys, { keys: [makeKey(), used], deprecated: [] })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"api-keys"}' }))
    expect(await within(dialog).findByText('First call received from 198.51.100.7.')).toBeTruthy()

    await user.click(within(dialog).getByRole('checkbox', { name: 'I saved the key in a safe place' }))
    await user.click(done)
    await waitFor(() => expect(screen.queryByText(TOKEN)).toBeNull())
    expect(router.state.location.searchStr).toBe('?key=9')
  })

  it('says at the field what is wrong, and keeps what was typed when the server refuses', async () => {
    const refusal = new Refusal(409, 'name_taken', 'Another API key has this name.')
    const server = serve(makeKey()).answer(createApiKey, refusal)
    const { user } = await open(server)
    await user.keyboard('c')
    await screen.findByRole('dialog', { name: 'Create API key' })
    fill('Source', 'My App')
    fill('Allowed networks', 'example.com')
    await user.click(await press('Create key'))
    expect(await screen.findByText('Name is required.')).toBeTruthy()
    expect(screen.getByText('Use lowercase letters, digits and single hyphens for the source.')).toBeTruthy()
    expect(screen.getByText('Enter networks in CIDR notation, such as 203.0.113.0/24.')).toBeTruthy()
    expect(screen.getByText('Select at least one scope.')).toBeTruthy()
    expect(asked(server, createApiKey)).toBeUndefined()
    fill('Name', 'Customer app')
    fill('Source', 'my-app')
    fill('Allowed networks', '')
    await user.click(await press('Read everything'))
    await user.click(await press('Create key'))
    expect(await screen.findByText('Another API key has this name.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Source').value).toBe('my-app')
  })
})

describe('changing a key', () => {
  it('sends every field with the version that was read', async () => {
    const key = makeKey({ expiresOn: '2027-06-30', expiresAt: '2027-07-01T07:00:00.000Z' })
    const server = serve(key).answer(updateApiKey, { key: { ...key, name: 'App', version: 4 } })
    const { user } = await open(server)
    await user.click(await press('Edit'))
    await screen.findByRole('dialog', { name: 'Edit Customer app' })
    expect(screen.getByLabelText<HTMLInputElement>('Expires').value).toBe('2027-06-30')
    fill('Name', 'App')
    fill('Expires', '')
    fill('Calls per minute', '1200')
    await user.click(box('Customers: write'))
    await user.click(await press('Save'))
    expect(await screen.findByText('App saved.')).toBeTruthy()
    expect(asked(server, updateApiKey)).toEqual({
      name: 'App',
      scopes: ['customers:read', 'events:write'],
      expiresOn: null,
      networks: ['203.0.113.0/24'],
      requestsPerMinute: 1200,
      version: 3,
    })
  })

  it('shows both versions when someone else was faster', async () => {
    const current = makeKey({ requestsPerMinute: 50, version: 8 })
    const words = 'Someone else changed this API key. Reload and try again.'
    const server = serve(makeKey()).answer(updateApiKey, new Refusal(409, 'stale', words, { current }))
    const { user } = await open(server)
    await user.click(await press('Edit'))
    await screen.findByRole('dialog', { name: 'Edit Customer app' })
    fill('Name', 'App')
    await user.click(await press('Save'))
    const dialog = await screen.findByRole('dialog', { name: 'Someone else changed this API key' })
    expect(within(dialog).getByRole('row', { name: /Calls per minute 600 50 50/ })).toBeTruthy()
    server.answer(updateApiKey, { key: makeKey({ name: 'App', version: 9 }) })
    await user.click(within(dialog).getAllByRole('button')[1] as HTMLElement)
    await waitFor(() =>
      expect(asked(server, updateApiKey)).toMatchObject({ name: 'App', requestsPerMinute: 50, version: 8 }),
    )
  })

  it('rotates the secret with an overlap, and shows the new one once', async () => {
    const rotation = { at: ago(0), by: 'Priya Raman', oldEndsAt: '2099-01-02T00:00:00.000Z' }
    const server = serve(makeKey()).answer(rotateApiKey, { key: makeKey({ rotation }), token: TOKEN })
    const { user } = await open(server)
    await user.click(await press('Actions for Customer app'))
    await user.click(await screen.findByRole('menuitem', { name: 'Rotate secret' }))
    await screen.findByRole('dialog', { name: 'Rotate the secret for Customer app' })
    expect(screen.getByLabelText<HTMLInputElement>('Overlap in hours').value).toBe('24')
    fill('Overlap in hours', '0')
    await user.click(screen.getAllByRole('button', { name: 'Rotate secret' }).at(-1) as HTMLElement)
    expect(asked(server, rotateApiKey)).toBeUndefined()
    fill('Overlap in hours', '168')
    await user.click(screen.getAllByRole('button', { name: 'Rotate secret' }).at(-1) as HTMLElement)
    expect(await screen.findByText(TOKEN)).toBeTruthy()
    expect(asked(server, rotateApiKey)).toEqual({ overlapHours: 168 })
    expect(screen.getByText(/The old secret works until Jan 1, 2099/)).toBeTruthy()
  })

  it('revokes after a question that names the key', async () => {
    const server = serve(makeKey()).answer(revokeApiKey, { key: makeKey({ revokedAt: ago(0) }) })
    const { user } = await open(server)
    await user.click(await press('Revoke'))
    const question = await screen.findByRole('alertdialog', { name: 'Revoke Customer app?' })
    // The shortcut must not open a form behind the question.
    await user.keyboard('c')
    expect(screen.queryByRole('dialog', { name: 'Create API key' })).toBeNull()
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(asked(server, revokeApiKey)).toBeUndefined()
    await user.click(await press('Revoke'))
    await user.click(await press('Revoke key'))
    expect(await screen.findByText('Customer app revoked.')).toBeTruthy()
    expect(asked(server, revokeApiKey)).toEqual({})
  })
})
