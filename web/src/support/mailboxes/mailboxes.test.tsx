import { makeForwardingAddress } from '@limber/contract/support/mailboxes/forwarding.ts'
import {
  checkMailbox,
  createMailbox,
  deleteMailbox,
  listMailboxes,
  type Mailbox,
} from '@limber/contract/support/mailboxes/mailbox.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import Mailboxes from './mailboxes.screen.tsx'

const help: Mailbox = {
  id: 1,
  address: 'help@example.com',
  name: 'Coastline Help',
  is_enabled: true,
  confirms: false,
  incoming: 'imap',
  imap_host: 'imap.example.com',
  imap_port: 993,
  imap_security: 'tls',
  imap_username: 'help',
  imap_auth: 'password',
  hasImapSecret: true,
  oauth_url: '',
  oauth_client_id: '',
  hasOauthSecret: false,
  hasForwardingAddress: false,
  smtp_host: '',
  smtp_port: 587,
  smtp_security: 'starttls',
  smtp_username: '',
  smtp_auth: 'password',
  hasSmtpSecret: false,
  version: 1,
  state: 'connected',
  error: null,
  readAt: '2026-11-17T17:00:00.000Z',
  lastMessageAt: '2026-11-17T16:50:00.000Z',
}

const show = (server: FakeServer) => renderScreen(<Mailboxes />, { server })

describe('the mailboxes', () => {
  it('show whether they are connected, and why not', async () => {
    const failing = {
      ...help,
      id: 2,
      address: 'b@example.com',
      state: 'failing',
      error: 'The server refused it.',
    } as const
    await show(new FakeServer().answer(listMailboxes, [help, failing]))
    expect(await screen.findByText('Connected')).toBeTruthy()
    expect(screen.getByText('Not connected')).toBeTruthy()
    expect(screen.getByText('The server refused it.')).toBeTruthy()
  })

  it('say what will be here when there is none', async () => {
    await show(new FakeServer().answer(listMailboxes, []))
    expect(await screen.findByText('No mailboxes yet')).toBeTruthy()
  })

  it('are added after a check of what was typed', async () => {
    const saved = vi.fn()
    const server = new FakeServer()
      .answer(listMailboxes, [])
      .answer(checkMailbox, { imap: { isOk: false, summary: 'The server refused it.', answer: 'NO' }, smtp: null })
      .answer(createMailbox, ({ body }) => {
        saved(body)
        return help
      })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Add mailbox' }))
    const form = within(await screen.findByRole('dialog', {}, { timeout: 10_000 }))
    await user.type(form.getByLabelText('Address'), 'help@example.com')
    await user.type(form.getByLabelText('Sender name'), 'Help')
    await user.type(form.getByLabelText('IMAP server'), 'imap.example.com')
    await user.type(form.getByLabelText('IMAP password'), 'secret')
    await user.click(form.getByRole('button', { name: 'Check connection' }))
    expect(await form.findByText(/Incoming: The server refused it/)).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Add mailbox' }))
    await waitFor(() =>
      expect(saved).toHaveBeenCalledWith(
        expect.objectContaining({ address: 'help@example.com', incoming: 'imap', imap_secret: 'secret' }),
      ),
    )
  })

  it('show the forwarding address of a new one, once', async () => {
    const forwarded: Mailbox = { ...help, incoming: 'forward', state: 'forwarded' }
    const made = vi.fn()
    const server = new FakeServer()
      .answer(listMailboxes, () => (made.mock.calls.length > 0 ? [{ ...forwarded, hasForwardingAddress: true }] : []))
      .answer(createMailbox, forwarded)
      .answer(makeForwardingAddress, ({ params }) => {
        made(params.id)
        return { url: 'https://limber.example.com/api/hooks/support/mail/k3y/mime' }
      })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Add mailbox' }))
    const form = within(await screen.findByRole('dialog', { name: 'Add mailbox' }, { timeout: 10_000 }))
    await user.type(form.getByLabelText('Address'), 'help@example.com')
    await user.type(form.getByLabelText('Sender name'), 'Help')
    await user.selectOptions(form.getByLabelText('Incoming email'), 'forward')
    await user.click(form.getByRole('button', { name: 'Add mailbox' }))
    const dialog = await screen.findByRole('dialog', { name: 'Forwarding address' }, { timeout: 10_000 })
    await user.click(within(dialog).getByRole('button', { name: 'Make address' }))
    expect(await within(dialog).findByText(/support\/mail\/k3y\/mime$/)).toBeTruthy()
    expect(made).toHaveBeenCalledTimes(1)
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    expect(await screen.findByRole('button', { name: 'Forwarding address of help@example.com' })).toBeTruthy()
    expect(screen.queryByText(/k3y/)).toBeNull()
  })

  it('are deleted after a question', async () => {
    const kept = { mailboxes: [help] }
    const server = new FakeServer()
      .answer(listMailboxes, () => kept.mailboxes)
      .answer(deleteMailbox, ({ params }) => {
        kept.mailboxes = []
        return { id: params.id }
      })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Delete help@example.com' }))
    const question = await screen.findByRole('alertdialog', { name: 'Delete help@example.com?' }, { timeout: 10_000 })
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('No mailboxes yet')).toBeTruthy()
  })
})
