import { paginate } from '@limber/contract/kit/page.ts'
import { listUsers, type UserList } from '@limber/contract/support/customers/customer.ts'
import { type EmailLog, listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { provideStepUp } from '#platform/api/api.ts'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import EmailLogs from './email-logs.screen.tsx'
import { previewOf } from './labels.ts'

// Preload the lazy modules so that the tests do not wait for them.
beforeAll(() => import('./email-message.tsx'))

const makeLog = (overrides: Partial<EmailLog> = {}): EmailLog => ({
  id: 3,
  from_address: 'hello@limber.example',
  to_address: 'AYgKZAEVKr6d',
  subject: 'Your receipt',
  type: 'receipt',
  html_content: '[Encrypted Content]',
  iv_html_content: 'aXY=',
  createdAt: '2026-11-10T09:30:00.000Z',
  delivery: 'sent',
  ...overrides,
})

const camille: UserList['users'][number] = {
  id: 31,
  name: 'Camille Okafor',
  email: 'camille@example.com',
  phone: null,
  verified: true,
  rank: 'Gold',
  points: 2340,
  status: 'active',
  ended: null,
  joinedAt: '2025-02-01T12:00:00.000Z',
}

const serve = (logs: EmailLog[], total = logs.length) =>
  new FakeServer().answer(listEmailLogs, ({ query }) => ({
    data: logs.filter(({ type }) => query.type === '' || query.type === type),
    pagination: paginate(query.page, query.limit, total),
  }))
const open = (server: FakeServer, search = '') =>
  renderScreen(<EmailLogs />, { server, path: `/support/email-logs${search}` })

describe('the content preview', () => {
  const long = 'ä'.repeat(101)
  it.each([
    ['[Encrypted Content]', { html_content: 'plain', iv_html_content: 'aXY=' }],
    ['plain', { html_content: 'plain', iv_html_content: null }],
    ['ä'.repeat(100), { html_content: long.slice(1), iv_html_content: null }],
    [`${'ä'.repeat(100)}...`, { html_content: long, iv_html_content: null }],
    ['Erased', { html_content: null, iv_html_content: null }],
  ])('%s', (words, log) => {
    expect(previewOf(log)).toBe(words)
  })
})

describe('Email Logs', () => {
  it('shows the loading state and the columns, and pages by ten', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const failed = makeLog({ id: 4, subject: 'Bounced', delivery: 'failed' })
    const server = new FakeServer().answer(listEmailLogs, async ({ query }) => {
      await gate
      return { data: [makeLog(), failed], pagination: paginate(query.page, query.limit, 12) }
    })
    const { user, router } = await open(server)
    expect(screen.getByText('Loading...')).toBeTruthy()
    release()
    const table = await screen.findByRole('table', { name: 'Email Logs' })
    const heads = within(table).getAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toEqual([
      'From',
      'To (Encrypted)',
      'Subject',
      'Type',
      'Content',
      'Sent At',
    ])
    expect(within(table).getByRole('row', { name: /Bounced/ }).textContent).toContain('Failed')
    expect(screen.getByText('Page 1 of 2 (Total: 12)')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Page 2 of 2 (Total: 12)')).toBeTruthy()
    expect(router.state.location.searchStr).toBe('?page=2')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByText('Page 1 of 2 (Total: 12)')).toBeTruthy()
  })

  it('shows the empty state and the error', async () => {
    const server = serve([])
    const { user } = await open(server)
    expect(await screen.findByText('No email logs found')).toBeTruthy()
    server.answer(listEmailLogs, new Refusal(400, 'bad', 'Not now.'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Receipt')
    expect(await screen.findByText('Error: Failed to fetch email logs')).toBeTruthy()
    expect(screen.getByText('Not now.')).toBeTruthy()
  })

  it('shows no ciphertext, only that a recipient is encrypted or erased', async () => {
    const erased = makeLog({ id: 4, subject: 'Old receipt', html_content: null, iv_html_content: null })
    await open(serve([makeLog(), erased]))
    const table = await screen.findByRole('table', { name: 'Email Logs' })
    expect(table.innerHTML).not.toContain('AYgKZAEVKr6d')
    const recipientOf = (row: RegExp) => within(within(table).getByRole('row', { name: row })).getAllByRole('cell')[1]
    expect(recipientOf(/Your receipt/)?.textContent).toBe('Encrypted. Reveal to read.')
    expect(recipientOf(/Old receipt/)?.textContent).toBe('Erased')
  })

  it('filters by days and delivery, in the URL', async () => {
    const queries: object[] = []
    const server = new FakeServer().answer(listEmailLogs, ({ query }) => {
      queries.push(query)
      return { data: [makeLog()], pagination: paginate(1, 10, 1) }
    })
    const { user, router } = await open(server, '?from=2026-11-01&delivery=failed&to=never')
    await screen.findByRole('table', { name: 'Email Logs' })
    expect(queries).toEqual([{ page: 1, limit: 10, type: '', recipient: '', from: '2026-11-01', delivery: 'failed' }])
    act(() => void fireEvent.change(screen.getByLabelText('Sent through'), { target: { value: '2026-11-09' } }))
    await user.click(screen.getByRole('radio', { name: 'Waiting' }))
    await waitFor(() =>
      expect(queries.at(-1)).toMatchObject({ from: '2026-11-01', to: '2026-11-09', delivery: 'waiting', page: 1 }),
    )
    expect(router.state.location.search).toMatchObject({ from: '2026-11-01', to: '2026-11-09', delivery: 'waiting' })
  })

  it('searches a recipient only by complete address', async () => {
    const server = serve([makeLog()])
    const { user, router } = await open(server)
    const field = screen.getByRole('textbox', { name: 'Recipient' })
    await user.type(field, 'camille')
    expect(await screen.findByText(/^Enter the complete address/)).toBeTruthy()
    expect(router.state.location.searchStr).toBe('')
    await user.type(field, '@Example.com')
    await waitFor(() => expect(router.state.location.searchStr).toBe('?recipient=camille%40example.com'))
    expect(screen.queryByText(/^Enter the complete address/)).toBeNull()
  })

  it('reveals one email for a reason, after a passkey; a refusal keeps the reason', async () => {
    const forget = provideStepUp(vi.fn(() => Promise.resolve(true)))
    const replies = [
      new Refusal(409, 'no_key', 'The key of this content is gone.'),
      new Refusal(403, 'step_up_required', 'Confirm with your passkey.'),
    ]
    const mail = { id: 3, to_address: 'camille@example.com', text: 'Thank <you>', html: '<b>Thank you</b>' }
    const server = serve([makeLog()]).answer(revealEmail, () => replies.shift() ?? mail)
    const { user, router } = await open(server)
    await user.click(await screen.findByRole('link', { name: 'Your receipt' }))
    expect(router.state.location.search).toEqual({ email: '3' })
    const pane = within(await screen.findByRole('dialog', { name: 'Your receipt' }))
    expect(pane.getByText(/^The receipt was sent on .* The mail server accepted it\.$/)).toBeTruthy()
    act(() => void fireEvent.change(pane.getByLabelText('Reason'), { target: { value: 'A complaint' } }))
    await user.click(pane.getByRole('button', { name: 'Reveal' }))
    expect(await pane.findByText('The key of this content is gone.')).toBeTruthy()
    await user.click(pane.getByRole('button', { name: 'Reveal' }))
    expect(await pane.findByText('camille@example.com')).toBeTruthy()
    expect(pane.getByText('Thank <you>')).toBeTruthy()
    expect(server.requests.at(-1)?.body).toEqual({ reason: 'A complaint' })
    await user.click(pane.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText('camille@example.com')).toBeNull())
    expect(router.state.location.search).toEqual({})
    forget()
  })

  it('offers no reveal for erased content', async () => {
    await open(serve([makeLog({ html_content: null, iv_html_content: null })]), '?email=3')
    expect(await screen.findByText(/^Recipient and content were erased together with the customer\.$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Reveal' })).toBeNull()
  })

  it('says what became of an email that was not sent', async () => {
    await open(
      serve([makeLog({ delivery: 'failed', type: 'booking' }), makeLog({ id: 4, delivery: 'waiting' })]),
      '?email=3',
    )
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^The message about a booking of .* could not be delivered, and is not tried again\.$/,
    )
  })

  it('finds a person by name, and searches for the address of the account', async () => {
    const server = serve([makeLog()]).answer(listUsers, {
      users: [camille],
      pagination: { ...paginate(1, 5, 1), pages: 1 },
    })
    const { user, router } = await open(server)
    await user.type(screen.getByRole('textbox', { name: 'Recipient' }), 'camille')
    await user.click(await screen.findByRole('button', { name: /camille@example.com/ }))
    expect(router.state.location.search).toEqual({ recipient: 'camille@example.com' })
  })
})
