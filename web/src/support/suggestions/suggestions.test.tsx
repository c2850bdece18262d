import { paginate } from '@limber/contract/kit/page.ts'
import {
  createSuggestion,
  deleteSuggestion,
  listSuggestions,
  readSuggestion,
  reviewSuggestion,
  type Suggestion,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { idempotencyKeysOf, loseFirstResponse } from '../lost-response.testing.ts'
import Suggestions from './suggestions.screen.tsx'

// Preload the lazy modules so that the tests do not wait for them.
beforeAll(() => Promise.all([import('./new-suggestion.tsx'), import('./suggestion-dialog.tsx')]))

const success = true as const

const make = (overrides: Partial<Suggestion> = {}): Suggestion => ({
  id: 6,
  title: 'What to wear',
  content: 'Comfortable clothes.',
  target_section: 'faq',
  target_location: null,
  priority: 'high',
  status: 'implemented',
  createdAt: '2026-11-10T09:30:00.000Z',
  createdBy: 'Dana Whitfield',
  ticketId: 41,
  publishedUrl: 'https://help.example.com/faq',
  review: null,
  version: 3,
  ...overrides,
})
const history = [
  { status: 'implemented' as const, reason: 'On the page now.', by: 'Priya Raman', at: '2026-11-12T09:30:00.000Z' },
  { status: 'approved' as const, reason: 'Asked every week.', by: 'Omar Haddad', at: '2026-11-11T09:30:00.000Z' },
]
const serve = (...rows: Suggestion[]) =>
  new FakeServer()
    .answer(listSuggestions, ({ query }) => {
      const found = rows.filter(({ title }) => title.toLowerCase().includes(query.search.toLowerCase()))
      return {
        success,
        data: found,
        pagination: paginate(query.page, query.limit, rows.length === 1 ? found.length : 31),
      }
    })
    .answer(readSuggestion, { success, data: { ...make(), ...rows[0], history } })

const open = (server: FakeServer, search = '') =>
  renderScreen(<Suggestions />, { server, path: `/support/suggestions${search}` })
const type = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const choose = async (user: Awaited<ReturnType<typeof open>>['user'], item: string) => {
  await user.click(await screen.findByRole('button', { name: 'Actions for What to wear' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

describe('Knowledge Base Suggestions', () => {
  it('are searched, sorted by column and paged by ten, all in the URL', async () => {
    const orders: string[] = []
    const server = serve(make(), make({ id: 7, title: 'Parking' }))
    const { user, router } = await open(server)
    server.answer(listSuggestions, ({ query }) => {
      orders.push(`${query.sort} ${query.order} ${query.page} ${query.limit} ${query.search}`)
      return { success, data: [make()], pagination: paginate(query.page, query.limit, 31) }
    })
    const table = await screen.findByRole('table', { name: 'Knowledge Base Suggestions' })
    const heads = within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent)
    expect(heads).toEqual(['Title', 'Section', 'Priority', 'Status', 'Created', 'Actions'])
    await user.click(within(table).getByRole('button', { name: 'Title' }))
    await waitFor(() => expect(orders.at(-1)).toBe('title asc 1 10 '))
    await user.click(within(table).getByRole('button', { name: 'Title' }))
    await waitFor(() => expect(orders.at(-1)).toBe('title desc 1 10 '))
    expect(within(table).getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe('descending')
    const pages = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('button')
    expect(pages.map((page) => page.textContent)).toEqual(['Previous', '1', '2', '3', '4', 'Next'])
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    await waitFor(() => expect(orders.at(-1)).toBe('title desc 3 10 '))
    await user.type(screen.getByRole('textbox', { name: 'Search suggestions' }), 'wear')
    await waitFor(() => expect(orders.at(-1)).toBe('title desc 1 10 wear'))
    expect(router.state.location.searchStr).toContain('q=wear')
  })

  it('show the loading error', async () => {
    await open(serve().answer(listSuggestions, new Refusal(400, 'bad', 'Not now.')))
    expect(await screen.findByText('Failed to load suggestions')).toBeTruthy()
  })

  it('are created, with missing fields and errors shown', async () => {
    const server = serve(make()).answer(createSuggestion, new Refusal(422, 'no_ticket', 'No such ticket.'))
    const { user } = await open(server)
    await user.click(screen.getByRole('button', { name: 'New Suggestion' }))
    const form = await screen.findByRole('dialog', { name: 'New Suggestion' })
    await user.click(within(form).getByRole('button', { name: 'Create' }))
    expect(await within(form).findByText('Title is required.')).toBeTruthy()
    expect(within(form).getByText('Section is required.')).toBeTruthy()
    expect(within(form).getByText('Priority is required.')).toBeTruthy()
    expect(server.callCount(createSuggestion)).toBe(0)
    type(within(form).getByLabelText('Title'), 'Parking')
    type(within(form).getByLabelText('Content'), 'Where?')
    await user.selectOptions(within(form).getByLabelText('Section'), 'Experience')
    await user.selectOptions(within(form).getByLabelText('Priority'), 'High')
    await user.click(within(form).getByRole('button', { name: 'Create' }))
    expect(await within(form).findByText('Failed to create suggestion: No such ticket.')).toBeTruthy()
    server.answer(createSuggestion, { success, data: make({ title: 'Parking' }) })
    await user.click(within(form).getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Suggestion created.')).toBeTruthy()
    const body = { title: 'Parking', content: 'Where?', target_section: 'experience', priority: 'high' }
    expect(server.requests.filter(({ call }) => call === createSuggestion).at(-1)?.body).toEqual(body)
  })

  it('show every review, their ticket and the published page', async () => {
    const { user } = await open(serve(make()))
    await choose(user, 'View Details')
    const view = await screen.findByRole('dialog', { name: 'What to wear' })
    expect(within(view).getByText('Comfortable clothes.')).toBeTruthy()
    const link = within(view).getByRole('link', { name: 'https://help.example.com/faq' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'https://help.example.com/faq',
      'noreferrer',
    ])
    expect(within(view).getByRole('link', { name: 'Ticket #41' }).getAttribute('href')).toBe(
      '/support/tickets?ticket=41',
    )
    const reviews = within(within(view).getByRole('region', { name: 'Status history' })).getAllByRole('listitem')
    expect(reviews[0]?.textContent).toMatch(/^ImplementedPriya Raman, .*On the page now\.$/)
    expect(reviews[1]?.textContent).toMatch(/^ApprovedOmar Haddad, .*Asked every week\.$/)
  })

  it('are reviewed with a reason; after a concurrent review the second sees both', async () => {
    const pending = make({ status: 'pending', publishedUrl: null })
    const current = make({ status: 'rejected', publishedUrl: null, version: 4 })
    const server = serve(pending).answer(reviewSuggestion, ({ body }) =>
      body.version === 4
        ? { success, data: make({ status: body.status, version: 5 }) }
        : new Refusal(409, 'stale', 'Someone else changed this suggestion. Reload and try again.', { current }),
    )
    const { user } = await open(server)
    await choose(user, 'Review')
    const form = await screen.findByRole('dialog', { name: 'Review Suggestion' })
    await user.selectOptions(within(form).getByLabelText('Status'), 'Approved')
    type(within(form).getByPlaceholderText('Provide a reason for this status change...'), 'Asked often')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const both = await screen.findByRole('dialog', { name: 'Someone else reviewed this suggestion' })
    expect(within(both).getByRole('row', { name: /^Status/ }).textContent).toBe('StatusPendingRejectedApproved')
    await user.click(within(both).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Suggestion set to approved.')).toBeTruthy()
    expect(server.requests.filter(({ call }) => call === reviewSuggestion).at(-1)?.body).toEqual({
      status: 'approved',
      reason: 'Asked often',
      publishedUrl: null,
      version: 4,
    })
  })

  it('show that a review failed', async () => {
    const server = serve(make()).answer(
      reviewSuggestion,
      new Refusal(404, 'not_found', 'This suggestion does not exist.'),
    )
    const { user } = await open(server, '?suggestion=6&view=review')
    const form = await screen.findByRole('dialog', { name: 'Review Suggestion' })
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    expect(await within(form).findByText('Failed to review suggestion: This suggestion does not exist.')).toBeTruthy()
  })

  it('are deleted after a confirmation, or stay with an error', async () => {
    const server = serve(make()).answer(
      deleteSuggestion,
      new Refusal(404, 'not_found', 'This suggestion does not exist.'),
    )
    const { user } = await open(server)
    await choose(user, 'Delete')
    const question = { name: 'Are you sure you want to delete this suggestion?' }
    await user.click(within(await screen.findByRole('alertdialog', question)).getByRole('button', { name: 'Cancel' }))
    expect(server.callCount(deleteSuggestion)).toBe(0)
    await choose(user, 'Delete')
    await user.click(within(await screen.findByRole('alertdialog', question)).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete suggestion')).toBeTruthy()
    server.answer(deleteSuggestion, { success, id: 6 })
    await choose(user, 'Delete')
    await user.click(within(await screen.findByRole('alertdialog', question)).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Suggestion deleted.')).toBeTruthy()
  })

  it('retry a deletion with the same key after a lost response', async () => {
    const server = loseFirstResponse(serve(make()), deleteSuggestion, () => ({ success, id: 6 }))
    const { user } = await open(server)
    await choose(user, 'Delete')
    const question = { name: 'Are you sure you want to delete this suggestion?' }
    await user.click(within(await screen.findByRole('alertdialog', question)).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Suggestion deleted.')).toBeTruthy()
    const keys = idempotencyKeysOf(server, deleteSuggestion)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })
})
