import {
  createSuggestion,
  deleteSuggestion,
  listSuggestions,
  readSuggestion,
  reviewSuggestion,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'

let server: TestServer
let caller: TestCaller
const draft = { title: 'T', content: 'C', target_section: 'faq', priority: 'low' } as const
const create = async (more: Record<string, unknown>) =>
  (await caller.send(createSuggestion, { body: { ...draft, ...more } as never })).body.data
const of = ({ id }: { id: number }) => ({ params: { id: String(id) } })
const titles = async (query: Record<string, string>) =>
  (await caller.send(listSuggestions, { query: query as never })).body.data.map(({ title }) => title)

beforeAll(async () => {
  server = await startTestServer()
  caller = server.as('kb.suggest')
  const rows = [
    { title: 'Beta 100%', priority: 'high', target_section: 'about', target_location: 'Footer_1' },
    { title: 'alpha', priority: 'low', content: '<script>alert(1)</script>' },
    { title: 'Gamma', priority: 'medium', target_section: 'experience' },
  ]
  for (const row of rows) {
    await create(row)
    server.clock.advance(1000)
  }
})
afterAll(() => server.stop())

describe('knowledge base suggestions', () => {
  it.each([
    ['newest first', {}, ['Gamma', 'alpha', 'Beta 100%']],
    ['by title', { sort: 'title', order: 'asc' }, ['alpha', 'Beta 100%', 'Gamma']],
    ['by priority from high to low', { sort: 'priority', order: 'desc' }, ['Beta 100%', 'Gamma', 'alpha']],
    ['a page', { sort: 'title', order: 'asc', limit: '1', page: '2' }, ['Beta 100%']],
    ['nothing past the end', { page: '99' }, []],
    ['a literal percent sign', { search: '0%' }, ['Beta 100%']],
    ['a literal underscore', { search: 'er_1' }, ['Beta 100%']],
    ['no wildcard', { search: 'a_p' }, []],
    ['literal SQL', { search: "'; drop table kb_suggestions; --" }, []],
    ['10 kB', { search: 'x'.repeat(10_000) }, []],
    ['a status', { status: 'approved' }, []],
  ])('are listed: %s', async (_, query, expected) => {
    expect(await titles(query)).toEqual(expected)
  })
  it('count all matches on any page', async () => {
    const { body } = await caller.send(listSuggestions, { query: { page: '99' } })
    expect(body).toMatchObject({ success: true, data: [], pagination: { totalItems: 3, limit: 10 } })
  })
  it('refer to an existing ticket', async () => {
    const ticket = await makeTicket(server.db)
    const made = await create({ title: 'From a ticket', ticketId: ticket.id })
    expect(made).toMatchObject({ ticketId: ticket.id, status: 'pending', review: null })
    const wrong = await caller.send(createSuggestion, { body: { ...draft, ticketId: 999_999 } })
    expect(wrong.status).toBe(422)
    expect((await caller.send(deleteSuggestion, of(made))).status).toBe(200)
    expect((await caller.send(deleteSuggestion, of(made))).status).toBe(404)
  })
  it('are reviewed with a reason; a stale review is refused with the current one', async () => {
    const made = await create({ title: 'Review me' })
    const first = await caller.send(reviewSuggestion, {
      ...of(made),
      body: { status: 'approved', reason: 'Asked often', version: made.version },
    })
    expect(first.body.data).toMatchObject({ status: 'approved', review: { reason: 'Asked often' } })
    const late = await caller.send(reviewSuggestion, {
      ...of(made),
      body: { status: 'rejected', reason: 'No', version: made.version },
    })
    expect(late).toMatchObject({ status: 409, failure: { current: { status: 'approved' } } })
    const gone = await caller.send(reviewSuggestion, {
      params: { id: '999999' },
      body: { status: 'pending', reason: '' },
    })
    expect(gone.status).toBe(404)
    const audit = await server.db
      .selectFrom('audit_log')
      .select('reason')
      .where('action', '=', 'suggestion_reviewed')
      .execute()
    expect(audit).toEqual([{ reason: 'Asked often' }])
  })
  it('store every review and the published address', async () => {
    const made = await create({ title: 'Publish me' })
    const publishedUrl = 'https://help.example.com/faq#late'
    const review = (body: object) => caller.send(reviewSuggestion, { ...of(made), body: body as never })
    await review({ status: 'approved', reason: 'Yes' })
    await review({ status: 'implemented', reason: '', publishedUrl })
    expect((await review({ status: 'implemented', reason: 'Shorter' })).body.data).toMatchObject({ publishedUrl })
    const { body } = await caller.send(readSuggestion, of(made))
    expect(body.data).toMatchObject({ title: 'Publish me', publishedUrl })
    expect(body.data.history.map(({ status, reason }) => [status, reason])).toEqual([
      ['implemented', 'Shorter'],
      ['implemented', ''],
      ['approved', 'Yes'],
    ])
    expect((await review({ status: 'pending', reason: '', publishedUrl: null })).body.data.publishedUrl).toBeNull()
    expect((await caller.send(deleteSuggestion, of(made))).status).toBe(200)
    expect((await caller.send(readSuggestion, of(made))).status).toBe(404)
  })
  it.each(['javascript:alert(1)', 'data:text/html,x', 'help', `https://example.com/${'x'.repeat(2_000)}`])(
    'refuse an address that is not http or https: %s',
    async (publishedUrl) => {
      const body = { status: 'implemented', reason: '', publishedUrl } as const
      expect((await caller.send(reviewSuggestion, { params: { id: '1' }, body })).status).toBe(400)
    },
  )
  it.each([
    { title: '' },
    { content: ' ' },
    { target_section: 'blog' },
    { priority: 'urgent' },
    { title: 'x'.repeat(201) },
    { content: 'x'.repeat(100_000) },
    { status: 'approved' },
  ])('refuse %#', async (wrong) => {
    expect((await caller.send(createSuggestion, { body: { ...draft, ...wrong } as never })).status).toBe(400)
  })
  it('refuse callers without the permission', async () => {
    const stranger = server.as('support.tab', 'tickets.handle')
    expect((await stranger.send(listSuggestions)).status).toBe(403)
    expect((await stranger.send(createSuggestion, { body: draft })).status).toBe(403)
    expect((await stranger.send(readSuggestion, { params: { id: '1' } })).status).toBe(403)
    expect((await stranger.send(deleteSuggestion, { params: { id: '1' } })).status).toBe(403)
  })
})
