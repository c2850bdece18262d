import { createLead, noteLead } from '@limber/contract/marketing/leads/lead.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { createSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { createSuggestion } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { create as createCampaign } from '#marketing/campaigns/campaign.testing.ts'
import { startTestServer, type TestCaller, type TestReply, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  owner = server.asOwner({ isSteppedUp: true })
})
afterAll(() => server.stop())

const payloads = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "'-alert(1)-'",
  '</textarea><iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1)) ![y](x"onerror="alert(1))',
  '</script><style>*{background:url(//evil.example)}</style>',
  '{{constructor.constructor("alert(1)")()}}',
]

let serial = 0
/** Calls that accept free text. */
const sinks: [string, (text: string) => Promise<TestReply>][] = [
  [
    'a ticket',
    (text) => owner.send(createTicket, { body: { customer_email: 'c@example.com', subject: text, content: text } }),
  ],
  [
    'a note about a customer',
    async (note) => {
      const { id } = await makeCustomer(server.db)
      return owner.send(addNote, { params: { id: String(id) }, body: { note } })
    },
  ],
  [
    'a suggestion',
    (text) =>
      owner.send(createSuggestion, { body: { title: text, content: text, target_section: 'faq', priority: 'low' } }),
  ],
  [
    'a saved reply',
    (text) => owner.send(createSavedReply, { body: { name: `${++serial} ${text}`.slice(0, 80), content: text } }),
  ],
  [
    'a lead and a note about it',
    async (text) => {
      const made = await owner.send(createLead, {
        body: { first_name: text, email: `lead-${++serial}@example.com` } as never,
      })
      if (made.status !== 200) return made as TestReply
      const { id: workerId } = await owner.worker()
      return owner.send(noteLead, { params: { id: String(made.body.lead.id) }, body: { note: text, workerId } })
    },
  ],
  ['a campaign', (text) => createCampaign(owner, { name: text, ad_message: text, link_description: text })],
]

/** All elements and attributes that a browser would create from HTML. */
function tagsIn(html: string): string[] {
  const found: string[] = []
  const visit = (node: { tagName?: string; attrs?: { name: string }[]; childNodes?: unknown[] }) => {
    if (node.tagName) found.push(node.tagName, ...(node.attrs ?? []).map(({ name }) => `@${name}`))
    for (const child of node.childNodes ?? []) visit(child as typeof node)
  }
  visit(parse(html) as never)
  return [...new Set(found)].sort()
}

describe('X1 hostile text', () => {
  it.each(sinks)('in %s is returned unchanged as JSON that browsers do not render', async (_, write) => {
    for (const payload of payloads) {
      const reply = await write(payload)
      expect([reply.status, reply.text.includes(JSON.stringify(payload).slice(1, -1))], reply.text).toEqual([200, true])
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
  })

  it('is plain text in the emails that quote it', async () => {
    const rows = await server.db.selectFrom('outbox').select('payload').where('channel', '=', 'mail').execute()
    const mails = rows.map(
      ({ payload }) =>
        JSON.parse(server.running.services.keyring.open('outbox', payload)) as { text: string; html?: string },
    )
    for (const payload of payloads) expect(mails.some(({ text }) => text.includes(payload))).toBe(true)
    // What our own layout consists of.
    const layout = [
      'body',
      'br',
      'div',
      'head',
      'html',
      'meta',
      'p',
      '@charset',
      '@content',
      '@lang',
      '@name',
      '@style',
    ]
    for (const { html = '' } of mails) expect(tagsIn(html).filter((name) => !layout.includes(name))).toEqual([])
  })
})
