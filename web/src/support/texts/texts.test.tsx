import { paginate } from '@limber/contract/kit/page.ts'
import { listUsers, type UserList } from '@limber/contract/support/customers/customer.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import {
  listMessages,
  listUserMessages,
  type MessagePage,
  sendMessage,
  type TextMessage,
} from '@limber/contract/support/texts/message.ts'
import { listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeUser } from '../customers/users.testing.ts'
import Texts from './texts.screen.tsx'

const path = '/support/texts'
const OWN = '+19515550100'
const CAMILLE = '+19515550123'

const makeMessage = (more: Partial<TextMessage> = {}): TextMessage => ({
  id: 1,
  sid: 'SM1',
  from: CAMILLE,
  to: OWN,
  body: 'Can I come at nine?',
  media: 0,
  dateSent: '2026-11-14T18:12:00.000Z',
  isOutgoing: false,
  state: 'received',
  error: null,
  customer: { id: 31, name: 'Camille Okafor' },
  ...more,
})
const answer = makeMessage({
  id: 2,
  from: OWN,
  to: CAMILLE,
  body: 'Nine is fine.',
  isOutgoing: true,
  state: 'delivered',
  dateSent: '2026-11-14T18:20:00.000Z',
})
const makePage = (more: Partial<MessagePage> = {}): MessagePage => ({
  messages: [answer, makeMessage()],
  nextPageToken: null,
  prevPageToken: null,
  ownNumber: OWN,
  isConnected: true,
  ...more,
})
const camille: UserList['users'][number] = {
  id: 31,
  name: 'Camille Okafor',
  email: 'camille@example.com',
  phone: CAMILLE,
  verified: true,
  rank: 'Gold',
  points: 2340,
  status: 'active',
  ended: null,
  joinedAt: '2025-02-01T12:00:00.000Z',
}
const serving = (page: Partial<MessagePage> = {}) => new FakeServer().answer(listMessages, makePage(page))
const show = async (server: FakeServer, at = path) => {
  const view = await renderScreen(<Texts />, { server, path: at })
  await screen.findByText('Can I come at nine?')
  return view
}

it('shows bubbles with sender, recipient, text and time, our own apart and with delivery state', async () => {
  await show(serving())
  const [, theirs, ours] = screen.getAllByRole('listitem')
  expect(theirs?.textContent).toContain('Camille Okafor')
  expect(theirs?.textContent).toContain('(951) 555-0100')
  expect(theirs?.hasAttribute('data-outgoing')).toBe(false)
  expect(ours?.hasAttribute('data-outgoing')).toBe(true)
  expect(ours?.textContent).toContain('Delivered')
  expect(ours?.querySelector('time')?.getAttribute('datetime')).toBe(answer.dateSent)
})

it('pages by tokens in the URL', async () => {
  const asked = vi.fn()
  const server = new FakeServer().answer(listMessages, ({ query }) => {
    asked(query?.pageToken)
    return query?.pageToken === 'older' ? makePage({ prevPageToken: 'newer' }) : makePage({ nextPageToken: 'older' })
  })
  const { user, router } = await show(server)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Previous/ }).disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: /^Next/ }))
  await waitFor(() => expect(router.state.location.href).toBe(`${path}?at=older`))
  await waitFor(() => expect(asked).toHaveBeenLastCalledWith('older'))
  await user.click(await screen.findByRole('button', { name: /^Previous/ }))
  await waitFor(() => expect(router.state.location.href).toBe(`${path}?at=newer`))
})

it('keeps the messages after a failed refresh, with their age and Retry', async () => {
  const server = serving()
  const { cache, user } = await show(server)
  expect(screen.getByText(/Last updated/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  server.answer(listMessages, new Refusal(500, 'broken', 'It broke.'))
  await act(() => cache.invalidateQueries())
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText('Can I come at nine?')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  server.answer(listMessages, makePage({ messages: [makeMessage({ body: 'New words' })] }))
  await user.click(retry)
  expect(await screen.findByText('New words')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull())
})

it('shows no alarm when the first load failed', async () => {
  const server = new FakeServer().answer(listMessages, new Refusal(500, 'broken', 'It broke.'))
  await renderScreen(<Texts />, { server, path })
  expect(await screen.findByText("Couldn't load messages")).toBeTruthy()
  expect(screen.getByText(/Last updated never/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('says that no service is connected, and offers no reply', async () => {
  await show(serving({ isConnected: false }), `${path}?number=%2B19515550123`)
  expect(screen.getByText(/Text messages are not connected/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send text message' })).toBeNull()
})

it('shows the empty state', async () => {
  await renderScreen(<Texts />, { server: serving({ messages: [] }), path })
  expect(await screen.findByText('No text messages')).toBeTruthy()
})

it('opens a conversation from a bubble and replies once', async () => {
  const server = serving()
  const { user, router } = await show(server)
  expect(screen.queryByRole('button', { name: 'Send text message' })).toBeNull()
  const [name] = screen.getAllByRole('button', { name: 'Camille Okafor' })
  if (name) await user.click(name)
  await waitFor(() => expect(router.state.location.search).toEqual({ number: CAMILLE }))
  const sent = vi.fn()
  server.answer(
    sendMessage,
    new Refusal(503, 'not_connected', 'Text messages are not connected. Set up a text message service first.'),
  )
  await user.type(await screen.findByLabelText('Text message'), 'See you{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Text messages are not connected. Set up a text message service first.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text message').value).toBe('See you')
  server.answer(sendMessage, ({ body }) => {
    sent(body)
    return answer
  })
  await user.click(screen.getByRole('button', { name: 'Send text message' }))
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Text message').value).toBe(''))
  expect(sent.mock.calls).toEqual([[{ to: CAMILLE, body: 'See you' }]])
  await user.click(screen.getByRole('button', { name: 'All messages' }))
  await waitFor(() => expect(router.state.location.href).toBe(path))
})

it('finds a conversation by name or by any number', async () => {
  const server = serving()
    .answer(listUsers, ({ query }) => ({
      users: query.search === 'oka' && query.living === 'yes' ? [camille] : [],
      pagination: { ...paginate(1, 5, 1), pages: 1 },
    }))
    .answer(listUserMessages, { ...makePage(), name: 'Camille Okafor', phone: CAMILLE })
  const { user, router } = await show(server)
  const field = () => screen.getByRole('textbox', { name: 'Name or number' })
  await user.type(field(), 'zzz')
  expect(await screen.findByText(/No one found/)).toBeTruthy()
  await user.clear(field())
  await user.type(field(), 'oka')
  await user.click(await screen.findByRole('button', { name: /camille@example.com/ }))
  await waitFor(() => expect(router.state.location.search).toEqual({ user: '31' }))
  await user.type(field(), '(951) 555-0188')
  await screen.findByRole('button', { name: 'Messages with (951) 555-0188' })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ number: '+19515550188' }))
})

it('keeps a draft for a number until it is sent', async () => {
  const { user } = await show(serving(), `${path}?number=%2B19515550123`)
  await user.type(await screen.findByLabelText('Text message'), 'On my way')
  await user.click(screen.getByRole('button', { name: 'All messages' }))
  await waitFor(() => expect(screen.queryByLabelText('Text message')).toBeNull())
  const [name] = screen.getAllByRole('button', { name: 'Camille Okafor' })
  if (name) await user.click(name)
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Text message')).value).toBe('On my way')
})

it.each([
  ['a failed text shows the error', new Refusal(503, 'not_connected', 'No service.'), 'On my way'],
  ['a sent text leaves no draft', answer, ''],
] as const)('%s after its writer left the conversation', async (_what, reply, kept) => {
  const sending = Promise.withResolvers<TextMessage | Refusal>()
  const server = serving().answer(sendMessage, () => sending.promise)
  const { user } = await show(server, `${path}?number=%2B19515550123`)
  await user.type(await screen.findByLabelText('Text message'), 'On my way{Control>}{Enter}{/Control}')
  await user.click(screen.getByRole('button', { name: 'All messages' }))
  await waitFor(() => expect(screen.queryByLabelText('Text message')).toBeNull())
  await act(async () => sending.resolve(reply))
  if (kept) expect(await screen.findByText("Couldn't send the text message to (951) 555-0123")).toBeTruthy()
  const [name] = screen.getAllByRole('button', { name: 'Camille Okafor' })
  if (name) await user.click(name)
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Text message')).value).toBe(kept)
})

it("filters by a customer's number from their record", async () => {
  const server = new FakeServer().answer(listUserMessages, { ...makePage(), name: 'Camille Okafor', phone: CAMILLE })
  await show(server, `${path}?user=31`)
  expect(screen.getByRole('heading', { name: 'Camille Okafor' })).toBeTruthy()
  expect(screen.getByText('(951) 555-0123')).toBeTruthy()
})

it('shows the customer and the timeline beside a conversation', async () => {
  const entry = { key: 'note-4', group: 'notes', kind: 'note', at: '2026-11-10T18:00:00.000Z', text: '' } as const
  const none = { quote: 'Prefers mornings.', tone: null, amount: null, balance: null, stars: null, link: null }
  const server = serving()
    .answer(readUser, makeUser({ personalInfo: { id: 31 } }))
    .answer(listTimeline, { entries: [{ ...entry, ...none, title: 'Note by Dana Whitfield' }], next: null, failed: [] })
  await show(server, `${path}?number=${encodeURIComponent(CAMILLE)}`)
  const rail = await screen.findByRole('complementary', { name: 'About Camille Okafor' }, { timeout: 10_000 })
  expect(await within(rail).findByText('Prefers mornings.')).toBeTruthy()
  expect(within(rail).getByRole('region', { name: 'Timeline' })).toBeTruthy()
})
