import {
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  type PartnerDetail,
  type PartnerSession,
  readPartner,
  sendOutreach,
} from '@limber/contract/growth/partners/partner.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { findPartners } from './finders.ts'
import { OUTREACH_TEMPLATE } from './labels.ts'
import Partners from './partners.screen.tsx'

const path = '/growth/business'
const partner: PartnerDetail = {
  id: 4,
  name: 'Canyon Tiles',
  kind: 'business',
  status: 'contacted',
  repName: 'Ada Poe',
  repEmail: 'ada@tiles.example',
  emailList: ['mia@tiles.example'],
  emailListSize: 1,
  timesContacted: 2,
  lastContact: '2026-11-10T10:00:00.000Z',
  activeUsers: 1,
  onSiteSessions: 1,
  totalUserSessions: 4,
  totalRevenue: 75.5,
  avgRating: 4.5,
  renewalDate: null,
  pilotEndsOn: null,
  endedReason: null,
  version: 3,
  notes: [],
}
const session: PartnerSession = {
  id: 8,
  businessId: 4,
  business: 'Canyon Tiles',
  date: '2026-11-12',
  time: '9:00 AM – 11:00 AM',
  location: 'Hall 2',
  slotLength: 15,
  contact: 'Ada Poe',
  contactEmail: 'ada@tiles.example',
  assignedStretcher: null,
  participants: [{ slotTime: '9:15 AM', name: 'Bo Hill', email: 'bo@example.com', rating: null }],
}

const servePartners = (partners: readonly PartnerDetail[] = [partner], schools = 0) =>
  new FakeServer()
    .answer(listPartners, ({ query }) => {
      const businesses = partners.filter(({ status, kind }) => status === query.status && kind === query.kind)
      return { businesses, pagination: paginate(1, 10, businesses.length), kinds: { business: 1, school: schools } }
    })
    .answer(listUpcomingSessions, { sessions: [], pagination: paginate(1, 10, 0) })
    .answer(listPastSessions, {
      sessions: [session, { ...session, id: 9, participants: [] }],
      pagination: paginate(1, 10, 2),
    })
    .answer(readPartner, partner)
    .answer(changePartner, ({ body }) => ({ ...partner, status: body.status ?? partner.status, version: 4 }))
    .answer(sendOutreach, { success: true, sent: 1, skipped: 1, skippedAddresses: ['left@tiles.example'] })

const bodiesOf = (server: FakeServer, call: object) =>
  server.requests.filter((one) => one.call === call).map(({ body }) => body)

describe('Partners', () => {
  it('shows five tables, each with its own empty state', async () => {
    await renderScreen(<Partners />, { server: servePartners(), path })
    const contacted = await screen.findByRole('table', { name: 'Contacted' })
    expect(within(contacted).getByRole('row', { name: /Canyon Tiles ada@tiles\.example 2/ })).toBeTruthy()
    for (const words of [
      'No businesses pending',
      'No businesses active',
      'No businesses inactive',
      'No upcoming on-site sessions scheduled',
    ])
      expect(await screen.findByText(words)).toBeTruthy()
  })

  it('shows an empty state under Schools until there is one', async () => {
    const { user, router } = await renderScreen(<Partners />, { server: servePartners(), path })
    await user.click(await screen.findByRole('tab', { name: /Schools/ }))
    expect(await screen.findByText('No schools yet')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(router.state.location.search).toEqual({ tab: 'school' })
  })

  it('shows no tables under Schools while schools are loading', async () => {
    const school = { ...partner, kind: 'school' as const }
    const counts = Promise.withResolvers<Refusal>()
    const listing = (query: { status: string }) => ({
      businesses: query.status === 'contacted' ? [school] : [],
      pagination: paginate(1, 10, 1),
      kinds: { business: 0, school: 1 },
    })
    const server = servePartners().answer(listPartners, ({ query }) =>
      query.limit === 1 ? counts.promise : listing(query),
    )
    const { user } = await renderScreen(<Partners />, { server, path: `${path}?tab=school` })
    const heading = () => screen.queryByRole('heading', { name: 'Contacted' })
    await screen.findByRole('tab', { name: 'Schools' })
    expect(heading()).toBeNull()
    counts.resolve(new Refusal(400, 'bad', 'Not now.'))
    expect(await screen.findByText('Not now.')).toBeTruthy()
    expect(heading()).toBeNull()
    server.answer(listPartners, ({ query }) => listing(query))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('table', { name: 'Contacted' })).toBeTruthy()
  })

  it('shows past sessions and their participants', async () => {
    const { user } = await renderScreen(<Partners />, { server: servePartners(), path })
    await user.click(await screen.findByRole('button', { name: 'View Past Sessions' }))
    const dialog = await screen.findByRole('dialog', { name: 'Past Sessions' })
    const table = await within(dialog).findByRole('table', { name: 'Past Sessions' })
    expect(within(table).getAllByText('Unassigned')).toHaveLength(2)
    expect(within(table).getByText('None')).toBeTruthy()
    await user.click(within(table).getByRole('button', { name: 'View 1' }))
    const people = await screen.findByRole('dialog', { name: 'Session Participants' })
    expect(await within(people).findByRole('row', { name: '9:15 AM Bo Hill bo@example.com --' })).toBeTruthy()
  })

  it('sends an email to the contact of a past session', async () => {
    const { user, server } = await renderScreen(<Partners />, { server: servePartners(), path: `${path}?view=past` })
    const table = await screen.findByRole('table', { name: 'Past Sessions' })
    const [first] = within(table).getAllByRole('button', {
      name: withoutCurrentYear('Email Ada Poe about Nov 12, 2026'),
    })
    await user.click(first as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Send Outreach Email' })
    await user.type(within(dialog).getByLabelText('Subject'), 'How was it?')
    await user.click(within(dialog).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Send Outreach Email' })).toBeNull())
    expect(bodiesOf(server, sendOutreach)).toMatchObject([{ recipients: ['ada@tiles.example'], businessId: 4 }])
    expect(screen.getByRole('dialog', { name: 'Past Sessions' })).toBeTruthy()
  })

  it('keeps the form when sending fails, and closes and reloads when it succeeds', async () => {
    const server = servePartners().answer(
      sendOutreach,
      new Refusal(422, 'nobody_left', 'Everyone on this list has opted out.'),
    )
    const { user } = await renderScreen(<Partners />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Email Canyon Tiles' }))
    const dialog = await screen.findByRole('dialog', { name: 'Send Outreach Email' })
    const body = within(dialog).getByLabelText<HTMLTextAreaElement>('Body')
    expect(body.getAttribute('rows')).toBe('10')
    expect(body.value).toBe(OUTREACH_TEMPLATE)
    await user.type(within(dialog).getByLabelText('Subject'), 'Hello')
    await user.click(within(dialog).getByRole('button', { name: 'Add recipient' }))
    expect(within(dialog).queryByRole('button', { name: 'Remove recipient 1' })).toBeNull()
    await user.type(within(dialog).getByLabelText('Recipient 2'), 'bo@tiles.example')
    await user.click(within(dialog).getByRole('button', { name: 'Send' }))
    expect(await within(dialog).findByText('Everyone on this list has opted out.')).toBeTruthy()
    expect(within(dialog).getByLabelText<HTMLInputElement>('Subject').value).toBe('Hello')
    await user.click(within(dialog).getByRole('button', { name: 'Remove recipient 2' }))
    const asked = server.callCount(listPartners)
    server.answer(sendOutreach, { success: true, sent: 1, skipped: 0, skippedAddresses: [] })
    await user.click(within(dialog).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodiesOf(server, sendOutreach)).toEqual([
      expect.objectContaining({ recipients: ['ada@tiles.example', 'bo@tiles.example'], businessId: 4 }),
      { recipients: ['ada@tiles.example'], subject: 'Hello', header: '', body: OUTREACH_TEMPLATE, businessId: 4 },
    ])
    await waitFor(() => expect(server.callCount(listPartners)).toBeGreaterThan(asked))
  })

  it('shows an email body with ten to sixteen rows', async () => {
    // Rows of 20 px, because jsdom does not measure them.
    const sheet = document.createElement('style')
    sheet.textContent = 'textarea { box-sizing: border-box; padding: 0; border: 0 }'
    document.head.append(sheet)
    onTestFinished(() => sheet.remove())
    vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLTextAreaElement,
    ) {
      return this.value.split('\n').length * 20
    })
    const { user } = await renderScreen(<Partners />, { server: servePartners(), path })
    await user.click(await screen.findByRole('button', { name: 'New email' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Send Outreach Email' }))
    const body = dialog.getByLabelText('Body')
    await user.clear(body)
    expect(body.style.height).toBe('200px')
    await user.paste('A line\n'.repeat(40))
    expect(body.style.height).toBe('320px')
  })

  it('closes on a click outside, and asks before discarding a typed email', async () => {
    const { user } = await renderScreen(<Partners />, { server: servePartners(), path })
    const open = async () => {
      await user.click(await screen.findByRole('button', { name: 'Email Canyon Tiles' }))
      return within(await screen.findByRole('dialog', { name: 'Send Outreach Email' }))
    }
    const outside = () => user.click(document.querySelector('.mantine-Modal-overlay') as HTMLElement)
    await open()
    await outside()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const dialog = await open()
    await user.type(dialog.getByLabelText('Subject'), 'Hello')
    for (const leave of [outside, () => user.click(dialog.getByRole('button', { name: 'Cancel' }))]) {
      await leave()
      const question = within(await screen.findByRole('alertdialog', { name: 'Discard this email?' }))
      await user.click(question.getByRole('button', { name: 'Keep editing' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
      expect(dialog.getByLabelText<HTMLInputElement>('Subject').value).toBe('Hello')
    }
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows errors at their fields, and names the recipients who were skipped', async () => {
    const fields = [
      { path: 'subject', text: 'is too bold' },
      { path: 'recipients.1', text: 'is not an email address' },
    ]
    const server = servePartners().answer(sendOutreach, new Refusal(400, 'invalid', 'subject: is too bold', { fields }))
    const { user } = await renderScreen(<Partners />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Email Canyon Tiles' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Send Outreach Email' }))
    await user.click(dialog.getByRole('button', { name: 'Add recipient' }))
    await user.click(dialog.getByRole('button', { name: 'Add recipient' }))
    await user.type(dialog.getByLabelText('Recipient 3'), 'no@x.example')
    await user.type(dialog.getByLabelText('Subject'), 'Hello')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await dialog.findByText('Subject is too bold.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Subject'))
    expect(dialog.getByLabelText('Recipient 3').getAttribute('aria-invalid')).toBe('true')
    expect(dialog.getByLabelText('Recipient 1').getAttribute('aria-invalid')).not.toBe('true')
    server.answer(sendOutreach, { success: true, sent: 1, skipped: 1, skippedAddresses: ['left@tiles.example'] })
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText(/Email sent to 1 person\. Skipped .*: left@tiles\.example\./)).toBeTruthy()
  })

  it('sends one email to several selected partners', async () => {
    const other = {
      ...partner,
      id: 5,
      name: 'Desert Valley',
      repEmail: 'rep@desert.example',
      status: 'active' as const,
    }
    const { user, server } = await renderScreen(<Partners />, { server: servePartners([partner, other]), path })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Canyon Tiles' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Select Desert Valley' }))
    await user.click(screen.getByRole('button', { name: 'Email 2 selected' }))
    const dialog = await screen.findByRole('dialog', { name: 'Send Outreach Email' })
    expect(dialog.textContent).toContain('Canyon Tiles, Desert Valley')
    await user.type(within(dialog).getByLabelText('Subject'), 'Hello')
    await user.click(within(dialog).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodiesOf(server, sendOutreach)).toMatchObject([
      { recipients: ['ada@tiles.example', 'rep@desert.example'], businessId: null },
    ])
    expect(screen.getByRole('button', { name: 'New email' })).toBeTruthy()
  })

  it('splits a pasted list into rows', async () => {
    const { user } = await renderScreen(<Partners />, { server: servePartners(), path })
    await user.click(await screen.findByRole('button', { name: 'New email' }))
    const dialog = await screen.findByRole('dialog', { name: 'Send Outreach Email' })
    await user.click(within(dialog).getByLabelText('Recipient 1'))
    await user.paste('a@x.example, b@x.example;c@x.example')
    expect(within(dialog).getByLabelText<HTMLInputElement>('Recipient 3').value).toBe('c@x.example')
  })

  it('links a session to its partner, and the partner to its blocks', async () => {
    const server = servePartners([partner]).answer(listUpcomingSessions, {
      sessions: [session],
      pagination: paginate(1, 10, 1),
    })
    const { user } = await renderScreen(<Partners />, { server, path })
    const table = await screen.findByRole('table', { name: 'Upcoming On-Site Mini Sessions' })
    await user.click(within(table).getByRole('button', { name: 'Canyon Tiles' }))
    const dialog = await screen.findByRole('dialog', { name: 'Canyon Tiles' })
    const blocks = await within(dialog).findByRole('link', { name: 'Blocks and sessions' })
    expect(blocks.getAttribute('href')).toBe('/worker/managing/businesses?business=4')
  })

  it('shows the meaning of the status, and the effect of selecting another', async () => {
    const quiet = { ...partner, status: 'pending', timesContacted: 0, lastContact: null } as const
    const server = servePartners().answer(readPartner, quiet)
    const { user } = await renderScreen(<Partners />, { server, path: `${path}?partner=4` })
    const dialog = within(await screen.findByRole('dialog', { name: 'Canyon Tiles' }))
    expect(await dialog.findByText('They are trying the service.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Close' }))
    expect(dialog.getByText('Never')).toBeTruthy()
    await user.selectOptions(dialog.getByLabelText('Status'), 'inactive')
    expect(dialog.getByText('The partnership ends today.')).toBeTruthy()
  })

  it('is found in the command palette with a link to its dialog', async () => {
    servePartners([{ ...partner, status: 'contacted' }])
      .answer(listPartners, {
        businesses: [{ ...partner, kind: 'school' }],
        pagination: paginate(1, 5, 1),
        kinds: { business: 0, school: 1 },
      })
      .install()
    const [found] = await findPartners('canyon', new AbortController().signal)
    const gone: string[] = []
    found?.run((way) => gone.push(way))
    expect([found?.title, ...gone]).toEqual(['Canyon Tiles', '/growth/business?tab=school&partner=4'])
  })

  it('ends a partnership with a reason', async () => {
    const { server, user } = await renderScreen(<Partners />, { server: servePartners(), path: `${path}?partner=4` })
    const dialog = await screen.findByRole('dialog', { name: 'Canyon Tiles' })
    await user.selectOptions(await within(dialog).findByLabelText('Status'), 'inactive')
    await user.type(within(dialog).getByLabelText('Reason'), 'Budget was cut')
    await user.click(within(dialog).getByRole('button', { name: 'Change status' }))
    await waitFor(() =>
      expect(bodiesOf(server, changePartner)).toEqual([{ status: 'inactive', reason: 'Budget was cut', version: 3 }]),
    )
  })

  it('shows the upcoming sessions before a partnership ends', async () => {
    const server = servePartners().answer(listUpcomingSessions, ({ query }) => ({
      sessions: [],
      pagination: paginate(1, 1, query.businessId === 4 ? 2 : 0),
    }))
    const { user } = await renderScreen(<Partners />, { server, path: `${path}?partner=4` })
    const dialog = within(await screen.findByRole('dialog', { name: 'Canyon Tiles' }))
    await user.selectOptions(await dialog.findByLabelText('Status'), 'inactive')
    expect(await dialog.findByText(/^2 upcoming sessions stay scheduled/)).toBeTruthy()
  })

  describe('while another worker edits the same partner', () => {
    const newNote = { id: 1, note: 'Called.', status: null, by: 'Robin Vale', at: '2026-11-16T17:00:00.000Z' }
    const open = async (now: Partial<PartnerDetail>, topic = 'growth') => {
      const server = servePartners()
      const view = await renderScreen(<Partners />, { server, path: `${path}?partner=4` })
      const dialog = within(await screen.findByRole('dialog', { name: 'Canyon Tiles' }))
      const publishChange = () => {
        server.answer(readPartner, { ...partner, ...now })
        act(() => FakeEventSource.last.onmessage?.({ data: `{"topic":"${topic}"}` }))
      }
      return { ...view, dialog, publishChange, note: await dialog.findByLabelText<HTMLTextAreaElement>('New note') }
    }

    it('keeps the note that is being typed', async () => {
      const { user, dialog, publishChange, note } = await open({ notes: [newNote] })
      await user.type(note, 'They want Saturdays')
      publishChange()
      expect(await dialog.findByText('Called.')).toBeTruthy()
      expect(dialog.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('They want Saturdays')
    })

    it('keeps an unsaved status change, and shows what was saved', async () => {
      const { user, dialog, server, publishChange } = await open({ status: 'pending', version: 7 })
      await user.selectOptions(dialog.getByLabelText('Status'), 'active')
      await user.type(dialog.getByLabelText(/^Note/), 'Signed for two years')
      publishChange()
      expect(await dialog.findByText('Someone else changed the status: Pending 90-Day Pilot.')).toBeTruthy()
      expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('Signed for two years')
      await user.type(dialog.getByLabelText('Renewal date'), '2028-11-15')
      await user.click(dialog.getByRole('button', { name: 'Change status' }))
      const body = { status: 'active', renewalDate: '2028-11-15', note: 'Signed for two years', version: 7 }
      await waitFor(() => expect(bodiesOf(server, changePartner)).toEqual([body]))
    })

    it('asks before leaving an unsaved note', async () => {
      const { user, note } = await open({})
      await user.type(note, 'They want Saturdays')
      await user.keyboard('{Escape}')
      expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeTruthy()
    })

    it('shows changes made in the business administration', async () => {
      const { dialog, publishChange } = await open({ repName: 'Ada Quist' }, 'businesses')
      publishChange()
      expect(await dialog.findByText('Ada Quist')).toBeTruthy()
    })
  })
})
