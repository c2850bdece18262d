// @module-tag slow
import { permissionNames } from '@limber/contract/access/permissions.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import {
  assignLead,
  convertLead,
  createLead,
  editLead,
  type LeadDetail,
  leadStatusLabels,
  listLeads,
  noteLead,
  type LeadQuery as Query,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import { readLeadAnalytics } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FakeServer, makeSession, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { findLeads, findWaitingLeads } from '../finders.ts'
import { responseOf, spanText } from './lead-labels.ts'
import Leads from './leads.screen.tsx'
import { fakeLeads, figures, funnel, makeLead } from './leads.testing.ts'

const path = '/growth/conversion'
const bodies = (server: FakeServer, call: object) =>
  server.requests.filter((one) => one.call === call).map(({ body }) => body)
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const without = (...names: string[]) => makeSession(permissionNames.filter((name) => !names.includes(name)))

/** Clicks Convert and confirms. */
async function convertHere(user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByRole('button', { name: 'Convert' }))
  const question = await screen.findByRole('alertdialog', { name: /^Convert / })
  await user.click(within(question).getByRole('button', { name: 'Convert' }))
}

async function openLead(lead?: LeadDetail, session = makeSession()) {
  const { server, state } = fakeLeads(lead)
  const shown = await renderScreen(<Leads />, { server, session, path: `${path}?lead=12` })
  await screen.findByRole('heading', { name: /Robin Vega/ })
  return { ...shown, server, state }
}

describe('the lead list', () => {
  it('shows status, name, email and counts, and asks to select a lead', async () => {
    const { server } = fakeLeads()
    await renderScreen(<Leads />, { server, path })
    const list = screen.getByRole('region', { name: 'Leads' })
    const row = await within(list).findByRole('link', { name: /Robin Vega/ })
    expect(row.textContent).toMatch(/Robin Vega.*New.*robin\.vega@example\.com/)
    expect(screen.getByText('Select a lead')).toBeTruthy()
    const cards = screen.getByRole('region', { name: 'Leads by status' })
    expect(
      within(cards)
        .getAllByRole('button')
        .map((card) => card.textContent),
    ).toEqual(['New5', 'Contacted4', 'Converted3', 'Not Interested2'])
  })
  it('filters by a status card, and clears the filter on a second click', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    const cards = screen.getByRole('region', { name: 'Leads by status' })
    await user.click(await within(cards).findByRole('button', { name: /^Contacted/ }))
    expect(await screen.findByText('No leads found')).toBeTruthy()
    expect(router.state.location.search).toEqual({ status: 'contacted' })
    await user.click(within(cards).getByRole('button', { name: /^Contacted/ }))
    expect(await screen.findByText('1 lead')).toBeTruthy()
    expect(router.state.location.search).toEqual({})
  })
  it('lists exactly the leads that a funnel number counts, and clears other filters', async () => {
    const { server } = fakeLeads()
    // The number of leads per funnel filter; any other filter finds none.
    const count = ({ reached, status, timeRange, search, campaign, assigned_to }: Query) => {
      if (timeRange !== '90d' || search || campaign || assigned_to) return 0
      if (reached) return funnel.steps.find((step) => step.status === reached)?.reached ?? 0
      return status === 'not_interested'
        ? funnel.lost.count
        : (funnel.steps.find((step) => step.status === status)?.here ?? 0)
    }
    server.answer(listLeads, ({ query }) => ({
      leads: Array.from({ length: count(query) }, (_, index) => makeLead({ id: 100 + index })),
      stats: { new: 5, contacted: 4, converted: 3, not_interested: 2 },
      pagination: paginate(1, 50, count(query)),
    }))
    const narrowed = `${path}?range=90d&q=vega&assignee=me&campaign=1&status=new&page=2`
    const { user, router } = await renderScreen(<Leads />, { server, path: narrowed })
    const band = screen.getByRole('region', { name: 'Funnel, last 90 days' })
    const opens = async (name: RegExp, found: number, search: object) => {
      await user.click(await within(band).findByRole('button', { name }))
      expect(router.state.location.search).toEqual({ range: '90d', ...search })
      const list = within(screen.getByRole('region', { name: 'Leads' }))
      if (found === 0) await list.findByText('No leads found')
      else await list.findByText(found === 1 ? '1 lead' : `${found} leads`)
    }
    for (const { status, reached, here } of funnel.steps) {
      const words = leadStatusLabels[status]
      await opens(new RegExp(`^${words} ?${reached}`), reached, { reached: status })
      await opens(new RegExp(`^${here} now in ${words}$`), here, { standing: status })
    }
    await opens(/^4 not interested/, 4, { standing: 'not_interested' })
    expect(screen.getByText('Not Interested now, last 90 days')).toBeTruthy()
    await user.click(button('Show all'))
    expect(router.state.location.search).toEqual({ range: '90d' })
  })
  it('searches while typing, and reloads on Enter', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    await screen.findByText('1 lead')
    await user.type(screen.getByPlaceholderText('Search leads...'), 'rob')
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'rob' }))
    await waitFor(() => expect(server.callCount(listLeads)).toBe(2))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(server.callCount(listLeads)).toBe(3))
  })
  it('filters by assignee', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    const choice = screen.getByRole('combobox', { name: 'Assignee' })
    expect((choice as HTMLSelectElement).selectedOptions[0]?.textContent).toBe('All Assignees')
    await screen.findByRole('option', { name: 'Devon Okoye (4 open)' })
    await user.selectOptions(choice, 'Devon Okoye (4 open)')
    expect(router.state.location.search).toEqual({ assignee: '9' })
  })
  it('filters by campaign', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    const choice = screen.getByRole('combobox', { name: 'Campaign' })
    expect((choice as HTMLSelectElement).selectedOptions[0]?.textContent).toBe('All Campaigns')
    const [, first] = await waitFor(() => {
      const options = within(choice).getAllByRole<HTMLOptionElement>('option')
      expect(options.length).toBeGreaterThan(1)
      return options
    })
    await user.selectOptions(choice, first?.value ?? '')
    expect(router.state.location.search).toEqual({ campaign: first?.value })
    await waitFor(() => expect(server.callCount(listLeads)).toBe(2))
  })
  it('clears rows and counts and shows the HTTP status after a failure', async () => {
    const { server } = fakeLeads()
    const { user } = await renderScreen(<Leads />, { server, path })
    await screen.findByText('1 lead')
    server.answer(listLeads, new Refusal(503, 'unavailable', 'The database is unavailable.'))
    await user.click(button('Refresh'))
    expect(await screen.findByText('Error 503', {}, { timeout: 4_000 })).toBeTruthy()
    expect(screen.getByText('The database is unavailable.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Robin Vega/ })).toBeNull()
    const cards = screen.getByRole('region', { name: 'Leads by status' })
    expect(
      within(cards)
        .getAllByRole('button')
        .map((card) => card.textContent),
    ).toEqual(['New0', 'Contacted0', 'Converted0', 'Not Interested0'])
  })
  it('hides Refresh, New Lead and Convert without permission', async () => {
    await openLead(undefined, without('leads.refresh', 'leads.create', 'leads.convert'))
    for (const name of ['Refresh', 'New Lead', 'Convert']) expect(screen.queryByRole('button', { name })).toBeNull()
    const status = screen.getByRole('combobox', { name: 'Status' })
    expect(within(status).queryByRole('option', { name: 'Converted' })).toBeNull()
  })
})

describe('a lead', () => {
  it('shows its fields, N/A for empty ones, and possible duplicates', async () => {
    const other = {
      id: 40,
      name: 'R. Vega',
      status: 'contacted',
      source: 'website',
      createdAt: '2026-10-01T09:00:00.000Z',
    }
    await openLead(makeLead({ duplicates: [{ ...other, why: 'same e-mail' } as never] }))
    const facts = screen.getByRole('region', { name: 'Lead' })
    expect(facts.textContent).toMatch(/PhoneN\/A.*SourceFacebook lead ad.*CampaignN\/A/)
    expect(facts.textContent).toMatch(/First responsewaiting for \d+ d/)
    expect(screen.getByRole('link', { name: 'R. Vega' }).getAttribute('href')).toContain('lead=40')
  })
  it('shows the timeline of the customer it became, without the account for who may not see accounts', async () => {
    const { server } = fakeLeads(makeLead({ status: 'converted', customer: { id: 31, name: 'Robin Vega' } }))
    const entry = { key: 'lead-12', group: 'referrals', kind: 'lead', at: '2026-11-10T09:00:00.000Z' } as const
    const none = { text: '', quote: null, tone: null, amount: null, balance: null, stars: null, link: null }
    server.answer(listTimeline, {
      entries: [{ ...entry, ...none, title: 'Became a lead' }],
      ...{ next: null, failed: ['Training'] },
    })
    const session = makeSession(['growth.tab'])
    await renderScreen(<Leads />, { server, session, path: `${path}?lead=12` })
    const rail = await screen.findByRole('complementary', { name: 'About Robin Vega' }, { timeout: 10_000 })
    expect(await within(rail).findByText('Became a lead')).toBeTruthy()
    expect(within(rail).getByText('Training could not be loaded')).toBeTruthy()
    expect(within(rail).queryByText('Credits')).toBeNull()
    expect(within(rail).queryByRole('link')).toBeNull()
  })
  it('offers all six statuses, and sets one', async () => {
    const { user, server } = await openLead()
    const status = screen.getByRole('combobox', { name: 'Status' })
    expect(
      within(status)
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['New', 'Onboarding Started', 'Onboarding Completed', 'Contacted', 'Converted', 'Not Interested'])
    await user.selectOptions(status, 'Contacted')
    await waitFor(() =>
      expect(bodies(server, setLeadStatus)).toEqual([{ leadId: 12, status: 'contacted', version: 3 }]),
    )
    await waitFor(() => expect(status).toHaveProperty('value', 'contacted'))
  })
  it('asks for the reason when it is not interested', async () => {
    const { user, server } = await openLead()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Not Interested')
    const dialog = await screen.findByRole('dialog')
    await user.selectOptions(within(dialog).getByLabelText('Reason'), 'Too expensive')
    await user.type(within(dialog).getByLabelText('In their words'), 'twice my budget')
    await user.click(within(dialog).getByRole('button', { name: 'Set to Not Interested' }))
    await waitFor(() =>
      expect(bodies(server, setLeadStatus)).toEqual([
        { leadId: 12, status: 'not_interested', version: 3, reason: 'Too expensive: twice my budget' },
      ]),
    )
  })
  it('lets the worker edit the reason', async () => {
    const { user, server } = await openLead(
      makeLead({ status: 'not_interested', lostReason: 'Too expensive: twice my budget' }),
    )
    await user.click(button('Edit reason'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLSelectElement>('Reason').value).toBe('Too expensive')
    const words = dialog.getByLabelText<HTMLTextAreaElement>('In their words')
    expect(words.value).toBe('twice my budget')
    await user.clear(words)
    await user.selectOptions(dialog.getByLabelText('Reason'), '')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Reason is required.')).toBeTruthy()
    expect(server.callCount(setLeadStatus)).toBe(0)
    await user.type(words, 'Moved away')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies(server, setLeadStatus)).toMatchObject([{ reason: 'Moved away', version: 3 }]))
  })
  it('can be edited without a first name if it arrived without one', async () => {
    const { server } = fakeLeads(makeLead({ first_name: '', last_name: '' }))
    server.answer(editLead, { lead: makeLead({ first_name: '', last_name: '', version: 4 }) })
    const { user } = await renderScreen(<Leads />, { server, path: `${path}?lead=12` })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByLabelText('Last name'), 'Vega')
    await user.click(button('Save'))
    await waitFor(() => expect(bodies(server, editLead)).toMatchObject([{ first_name: '', last_name: 'Vega' }]))
  })
  it('converts after a confirmation, and then hides Convert', async () => {
    const { user, server } = await openLead()
    await user.click(button('Convert'))
    const question = await screen.findByRole('alertdialog', { name: 'Convert Robin Vega to a customer?' })
    expect(question.textContent).toMatch(
      /creates a customer account for robin\.vega@example\.com.*undo it for 24 hours/,
    )
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(server.callCount(convertLead)).toBe(0)
    await convertHere(user)
    expect(await screen.findByText('Robin Vega is now a customer.')).toBeTruthy()
    expect(server.callCount(convertLead)).toBe(1)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Convert' })).toBeNull())
  })
  it('asks for confirmation before the status changes to or from Converted', async () => {
    const { user, server } = await openLead()
    const status = screen.getByRole('combobox', { name: 'Status' })
    const answer = async (title: string, name: string) => {
      const question = await screen.findByRole('alertdialog', { name: title })
      await user.click(within(question).getByRole('button', { name }))
    }
    await user.selectOptions(status, 'Converted')
    await answer('Convert Robin Vega to a customer?', 'Cancel')
    expect(server.callCount(setLeadStatus)).toBe(0)
    await user.selectOptions(status, 'Converted')
    await answer('Convert Robin Vega to a customer?', 'Convert')
    await waitFor(() => expect(status).toHaveProperty('value', 'converted'))
    await user.selectOptions(status, 'New')
    await answer('Set Robin Vega to New?', 'Set to New')
    await waitFor(() => expect(status).toHaveProperty('value', 'new'))
  })
  it('undoes a conversion from the toast or from the header', async () => {
    const { user, server, state } = await openLead()
    await convertHere(user)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Conversion undone. Robin Vega is New again.')).toBeTruthy()
    await convertHere(user)
    await user.click(await screen.findByRole('button', { name: 'Undo conversion' }))
    const question = await screen.findByRole('alertdialog', { name: 'Undo the conversion of Robin Vega?' })
    const words = 'The customer account is in use (a booking), so the conversion cannot be undone.'
    server.answer(undoConversion, new Refusal(409, 'account_used', words))
    await user.click(within(question).getByRole('button', { name: 'Undo conversion' }))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(state.lead.status).toBe('converted')
  })
  it('offers no undo after 24 hours', async () => {
    const convertedAt = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await openLead(makeLead({ status: 'converted', convertedAt }))
    expect(screen.queryByRole('button', { name: 'Undo conversion' })).toBeNull()
  })
  it('shows the failure texts of the specification, and keeps a typed note', async () => {
    const { user, server } = await openLead()
    server
      .answer(
        setLeadStatus,
        new Refusal(409, 'stale', 'Someone else changed this lead. Reload and try again.', { current: makeLead() }),
      )
      .answer(convertLead, new Refusal(422, 'incomplete', 'A customer needs a last name.'))
      .answer(noteLead, new Refusal(403, 'other_worker', 'You can only add notes under your own name.'))
      .answer(assignLead, new Refusal(422, 'no_assignee', 'This worker cannot be assigned leads.'))
    const status = screen.getByRole('combobox', { name: 'Status' })
    await user.selectOptions(status, 'Contacted')
    expect(await screen.findByText('Update failed')).toBeTruthy()
    expect(status).toHaveProperty('value', 'new')
    await convertHere(user)
    expect(await screen.findByText('Convert failed')).toBeTruthy()
    const box = screen.getByPlaceholderText('Add note…')
    await user.type(box, 'Called')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Add note failed')).toBeTruthy()
    expect(box).toHaveProperty('value', 'Called')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Assigned to' }), 'Devon Okoye')
    expect(await screen.findByText('This worker cannot be assigned leads.')).toBeTruthy()
  })
  it('reports a failure after the worker has left the lead', async () => {
    const { user, server, router } = await openLead()
    const answer = Promise.withResolvers<Refusal>()
    server.answer(setLeadStatus, () => answer.promise)
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Contacted')
    await act(() => router.navigate({ to: path }))
    expect(screen.getByText('Select a lead')).toBeTruthy()
    answer.resolve(new Refusal(500, 'defect', 'Something went wrong.'))
    expect(await screen.findByText('Update failed')).toBeTruthy()
  })
  it('adds a note under the own name', async () => {
    const { user, server } = await openLead()
    expect(button('Add Note').disabled).toBe(true)
    await user.type(screen.getByPlaceholderText('Add note…'), ' Called <b>twice</b> ')
    await user.click(button('Add Note'))
    expect(await screen.findByText('Called <b>twice</b>')).toBeTruthy()
    expect(bodies(server, noteLead)).toEqual([{ note: 'Called <b>twice</b>', workerId: 7 }])
  })
  it('shows a conflict dialog if someone else saved first', async () => {
    const { user, server } = await openLead()
    const theirs = makeLead({ first_name: 'Robyn', version: 4 })
    server.answer(editLead, ({ body }) =>
      body.version === 3
        ? new Refusal(409, 'stale', 'Someone else changed this lead. Reload and try again.', { current: theirs })
        : { lead: { ...theirs, last_name: body.last_name ?? '', version: 5 } },
    )
    await user.click(button('Edit'))
    const last = await screen.findByLabelText('Last name')
    await user.clear(last)
    await user.type(last, 'Vegas')
    await user.click(button('Save'))
    await user.click(await screen.findByRole('button', { name: 'Save mine' }))
    await waitFor(() =>
      expect(bodies(server, editLead).at(-1)).toMatchObject({ first_name: 'Robyn', last_name: 'Vegas', version: 4 }),
    )
  })
})

describe('New Lead', () => {
  it('adds a lead and opens it', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    await user.click(button('New Lead'))
    await user.type(await screen.findByLabelText('First name'), 'Noa')
    await user.type(screen.getByLabelText('Phone'), '(951) 555-0142')
    await user.click(button('Add lead'))
    await waitFor(() => expect(router.state.location.search).toEqual({ lead: '13' }))
    expect(bodies(server, createLead)).toEqual([{ first_name: 'Noa', phone: '(951) 555-0142', source: 'manual' }])
  })
  it('links to an existing lead of the same person, and keeps the draft', async () => {
    const { server } = fakeLeads()
    const words = 'A lead with this email already exists: Robin Vega.'
    server.answer(createLead, new Refusal(409, 'duplicate', words, { current: makeLead() }))
    const { user, router } = await renderScreen(<Leads />, { server, path })
    await user.click(button('New Lead'))
    await user.type(await screen.findByLabelText('First name'), 'Rob')
    await user.type(screen.getByLabelText('Email'), 'robin.vega@example.com')
    await user.click(button('Add lead'))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Rob')
    await user.click(button('Open Robin Vega'))
    await waitFor(() => expect(router.state.location.search).toEqual({ lead: '12' }))
  })
})

describe('Lead Analytics', () => {
  it('says no time to convert while no lead is converted', async () => {
    const { server } = fakeLeads()
    server.answer(readLeadAnalytics, { ...figures, ...conversionOf(0, 8), avg_time_to_convert: 0 })
    const { user } = await renderScreen(<Leads />, { server, path })
    await user.click(button('Analytics'))
    const region = await screen.findByRole('region', { name: 'Figures' })
    expect(region.textContent).toMatch(/Average time to convert--for/)
  })

  it('opens with its range in the URL, and shows rates with one decimal', async () => {
    const { server } = fakeLeads()
    const { user, router } = await renderScreen(<Leads />, { server, path })
    await user.click(button('Analytics'))
    const panel = await screen.findByRole('region', { name: 'Lead Analytics' })
    const region = await within(panel).findByRole('region', { name: 'Figures' })
    expect(region.textContent).toMatch(
      /Conversion rate12\.5%.*Average time to convert4\.3d.*Typical first response1 h 35 min/,
    )
    expect(panel.textContent).toMatch(/Website8.*80\.0%/)
    expect(panel.textContent).toMatch(/Spring25\.0%1 of 4/)
    const range = within(panel).getByRole('combobox', { name: 'Time range' })
    expect(
      within(range)
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['Last 7 Days', 'Last 30 Days', 'Last 90 Days', 'Last Year'])
    await user.click(within(panel).getByRole('button', { name: 'Table' }))
    const rows = within(await within(panel).findByRole('table')).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual(
      ['DateNewContactedConverted', 'Nov 9, 2026420', 'Nov 10, 2026631'].map(withoutCurrentYear),
    )
    await user.selectOptions(range, 'Last Year')
    await waitFor(() => expect(router.state.location.search).toEqual({ panel: 'analytics', range: '1y' }))
  })
  it('shows a loading state, then the HTTP status of a failure', async () => {
    const { server } = fakeLeads()
    server.answer(readLeadAnalytics, new Refusal(500, 'broken', 'Something broke.'))
    await renderScreen(<Leads />, { server, path: `${path}?panel=analytics` })
    expect(screen.getByText('Loading analytics…')).toBeTruthy()
    expect(await screen.findByText('Error 500', {}, { timeout: 4_000 })).toBeTruthy()
  })
})

describe('outside the screen', () => {
  it('finds leads in the palette, and lists waiting leads in Today', async () => {
    const { server } = fakeLeads()
    server.install()
    const { signal } = new AbortController()
    expect(await findLeads('rob', signal)).toMatchObject([
      { title: 'Robin Vega', detail: 'New · robin.vega@example.com' },
    ])
    expect(await findWaitingLeads(signal)).toMatchObject([{ title: '5 leads are waiting for a first response' }])
  })
  it.each([
    [0.4, '0 min'],
    [59, '59 min'],
    [60, '1 h'],
    [95, '1 h 35 min'],
    [1440, '1 d'],
    [3000, '2 d 2 h'],
  ])('formats %d minutes as %s', (minutes, text) => {
    expect(spanText(minutes)).toBe(text)
  })
  it('stops the wait for a first response when it arrives', () => {
    const lead = { createdAt: '2026-11-10T09:00:00.000Z', firstResponseAt: null }
    const now = new Date('2026-11-11T10:00:00.000Z')
    expect(responseOf(lead, now)).toEqual({ isWaiting: true, isLate: true, text: '1 d 1 h' })
    const answered = { ...lead, firstResponseAt: '2026-11-10T09:30:00.000Z' }
    expect(responseOf(answered, now)).toEqual({ isWaiting: false, isLate: false, text: '30 min' })
  })
})
