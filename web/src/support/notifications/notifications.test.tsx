import {
  listNotifications,
  type Notification,
  previewNotification,
  readNotification,
  readNotificationChoices,
  sendNotification,
  undoNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { idempotencyKeysOf, loseFirstResponse } from '../lost-response.testing.ts'
import Notifications from './notifications.screen.tsx'

const path = '/support/notifications'

const makeNotification = (more: Partial<Notification> = {}): Notification => ({
  id: 7,
  title: 'New times',
  body: 'Hello {first_name}',
  audience: { kind: 'all', zoneId: null, valueTier: null },
  audienceText: 'All customers',
  channel: 'mail',
  status: 'sent',
  sendAt: '2026-11-14T18:12:10.000Z',
  createdAt: '2026-11-14T18:12:00.000Z',
  createdBy: 'Priya Raman',
  endedAt: '2026-11-14T18:13:00.000Z',
  stoppedBy: null,
  counts: { people: 1_204, waiting: 0, sent: 1_200, delivered: 0, failed: 4, optedOut: 31 },
  ...more,
})
const listing = (...data: Notification[]) => {
  const server = new FakeServer()
  const [first] = data
  if (first) server.answer(readNotification, { ...first, failures: [{ reason: 'Mailbox full', people: 4 }] })
  return server
    .answer(listNotifications, { data, pagination: { page: 1, limit: 10, totalItems: data.length, totalPages: 1 } })
    .answer(readNotificationChoices, {
      zones: [{ id: 3, name: 'Riverside' }],
      connected: ['mail'],
      hasCompanyAddress: true,
    })
    .answer(previewNotification, {
      people: 1_204,
      optedOut: 31,
      withoutAddress: 12,
      needsPasskey: true,
      sample: { subject: 'New times', text: 'Hello Alex' },
    })
}

it('lists status, channel, audience and counts', async () => {
  await renderScreen(<Notifications />, { server: listing(makeNotification()), path })
  const row = (await screen.findByText('New times')).closest('tr')
  for (const words of ['Sent', 'Email', 'All customers', '1,204', '1,200', '4', '31'])
    expect(row?.textContent).toContain(words)
})

it('filters by status and channel in the URL', async () => {
  const server = listing()
  const { user, router } = await renderScreen(<Notifications />, { server, path })
  expect(await screen.findByText('No notifications yet')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Status'), 'Scheduled')
  await user.selectOptions(screen.getByLabelText('Channel'), 'Text message')
  await waitFor(() => expect(router.state.location.search).toEqual({ status: 'scheduled', channel: 'text' }))
  expect(await screen.findByText('No notifications found')).toBeTruthy()
})

it('shows the error and retries', async () => {
  const server = listing().answer(listNotifications, new Refusal(500, 'broken', 'It broke.'))
  const { user } = await renderScreen(<Notifications />, { server, path })
  expect(await screen.findByText("Couldn't load notifications")).toBeTruthy()
  server.answer(listNotifications, {
    data: [makeNotification()],
    pagination: { page: 1, limit: 10, totalItems: 1, totalPages: 1 },
  })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('New times')).toBeTruthy()
})

it('offers sending only with the permission', async () => {
  const session = makeSession(['notifications.view'])
  await renderScreen(<Notifications />, { server: listing(makeNotification()), session, path: `${path}?compose=yes` })
  await screen.findByText('New times')
  expect(screen.queryByRole('button', { name: 'Send Notification' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('shows progress while sending', async () => {
  const counts = { people: 480, waiting: 168, sent: 312, delivered: 0, failed: 0, optedOut: 2 }
  const server = listing(makeNotification({ status: 'sending', endedAt: null, counts }))
  await renderScreen(<Notifications />, { server, path: `${path}?notification=7` })
  expect(await screen.findByText('312 of 480')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('65')
})

it('shows why it failed for some people', async () => {
  await renderScreen(<Notifications />, { server: listing(makeNotification()), path: `${path}?notification=7` })
  const row = (await screen.findByText('Why it failed')).parentElement
  expect(row?.textContent).toContain('Mailbox full (4 people)')
})

it('cancels a scheduled notification', async () => {
  const waiting = makeNotification({ status: 'scheduled', endedAt: null, sendAt: '2027-01-01T18:00:00.000Z' })
  const server = listing(waiting).answer(undoNotification, { ...waiting, status: 'cancelled' })
  const { user } = await renderScreen(<Notifications />, { server, path: `${path}?notification=7` })
  const cancel = await screen.findByRole('button', { name: 'Cancel notification' })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
  await user.click(cancel)
  expect(await screen.findByText('Canceled. No one will receive it.')).toBeTruthy()
})

it('retries an undo with the same key after a lost response', async () => {
  const waiting = makeNotification({ status: 'scheduled', endedAt: null, sendAt: '2027-01-01T18:00:00.000Z' })
  const server = loseFirstResponse(listing(waiting), undoNotification, () => makeNotification({ status: 'cancelled' }))
  const { user } = await renderScreen(<Notifications />, { server, path: `${path}?notification=7` })
  await user.click(await screen.findByRole('button', { name: 'Cancel notification' }))
  expect(await screen.findByText('Canceled. No one will receive it.')).toBeTruthy()
  const keys = idempotencyKeysOf(server, undoNotification)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

it('names unknown and known placeholders at the field, and sends nothing', async () => {
  const server = listing(makeNotification())
  const { user } = await renderScreen(<Notifications />, { server, path: `${path}?compose=yes` })
  const dialog = within(await screen.findByRole('dialog', { name: 'Send Notification' }))
  const message = dialog.getByLabelText<HTMLTextAreaElement>(/^Message/)
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Hello' } })
  fireEvent.change(message, { target: { value: 'Hello {name}' } })
  await user.click(dialog.getByRole('button', { name: /^Send/ }))
  const words = '{name} cannot be filled in. Use {first_name}, or remove the braces.'
  expect(await dialog.findByText(words)).toBeTruthy()
  expect(message.getAttribute('aria-invalid')).toBe('true')
  expect(server.callCount(sendNotification)).toBe(0)
})

it('composes next to the preview, shows the audience, and can be undone', async () => {
  const sent = vi.fn()
  const undone = vi.fn()
  const server = listing(makeNotification())
    .answer(sendNotification, ({ body }) => {
      sent(body)
      return makeNotification({ status: 'scheduled', endedAt: null })
    })
    .answer(undoNotification, ({ params }) => {
      undone(params)
      return makeNotification({ status: 'undone' })
    })
  const { user } = await renderScreen(<Notifications />, { server, path })
  await user.click(await screen.findByRole('button', { name: 'Send Notification' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send Notification' })
  const inside = within(dialog)
  expect(await inside.findByText('This will reach 1,204 people')).toBeTruthy()
  expect(inside.getByText('Excluded: 31 opted out, 12 have no verified email address.')).toBeTruthy()
  expect(inside.getByText(/You confirm with your passkey/)).toBeTruthy()
  expect(inside.getByRole<HTMLOptionElement>('option', { name: 'Text message (not connected)' }).disabled).toBe(true)
  await user.click(inside.getByRole('button', { name: 'Send to 1,204 people' }))
  expect(await inside.findByText('Title is required.')).toBeTruthy()
  expect(sent).not.toHaveBeenCalled()
  await user.type(inside.getByLabelText('Title'), 'New times')
  await user.type(inside.getByLabelText('Message'), 'Hello')
  await user.selectOptions(inside.getByLabelText('Audience'), 'Active customers')
  await user.selectOptions(await inside.findByLabelText('Zone'), 'Riverside')
  await user.click(inside.getByRole('button', { name: 'Send to 1,204 people' }))
  expect(await screen.findByText('Sending to 1,204 people in 10 seconds.')).toBeTruthy()
  expect(sent).toHaveBeenCalledWith({
    title: 'New times',
    body: 'Hello',
    channel: 'mail',
    audience: { kind: 'active', zoneId: 3, valueTier: null },
    people: 1_204,
  })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone. No one received it.')).toBeTruthy()
  expect(undone).toHaveBeenCalledWith({ id: 7 })
})

it('retries with the same key after a lost response', async () => {
  const server = listing().answer(sendNotification, new Refusal(500, 'broken', 'It broke.'))
  const { user } = await renderScreen(<Notifications />, { server, path: `${path}?compose=yes` })
  const inside = within(await screen.findByRole('dialog', { name: 'Send Notification' }))
  await user.type(inside.getByLabelText('Title'), 'New times')
  await user.type(inside.getByLabelText('Message'), 'Hello')
  await user.click(await inside.findByRole('button', { name: /^Send to/ }))
  expect(await inside.findByText('It broke.')).toBeTruthy()
  await user.click(await inside.findByRole('button', { name: /^Send to/ }))
  await waitFor(() => expect(server.callCount(sendNotification)).toBe(2))
  const keys = idempotencyKeysOf(server, sendNotification)
  expect(keys[0]).toBe(keys[1])
})

it('keeps the text when sending is refused', async () => {
  const server = listing().answer(
    sendNotification,
    new Refusal(409, 'moved', 'It would reach 9 people now. Look again.'),
  )
  const { user } = await renderScreen(<Notifications />, { server, path: `${path}?compose=yes` })
  const inside = within(await screen.findByRole('dialog', { name: 'Send Notification' }))
  await user.type(inside.getByLabelText('Title'), 'New times')
  await user.type(inside.getByLabelText('Message'), 'Hello')
  await user.click(await inside.findByRole('button', { name: /^Send to/ }))
  expect(await inside.findByText('It would reach 9 people now. Look again.')).toBeTruthy()
  expect(inside.getByLabelText<HTMLInputElement>('Title').value).toBe('New times')
})
