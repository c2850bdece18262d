import { undoChange } from '@limber/contract/access/history/history.ts'
import { permissionNames } from '@limber/contract/access/permissions.ts'
import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import {
  type CampaignDetail,
  createCampaign,
  editCampaign,
  listCampaigns,
  pushCampaign,
  readCampaign,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import { makeCity } from '../../growth/growth.testing.ts'
import { audienceOf, type Draft, DraftSchema, draftOf, emptyDraft, faultsOf, formOf } from './campaign-draft.ts'
import { audienceText, rateText } from './campaign-labels.ts'
import Campaigns from './campaigns.screen.tsx'

// Loads the lazy parts up front: the imports can be slow on a busy machine.
beforeAll(async () => {
  await Promise.all([
    import('./new-campaign.tsx'),
    import('./edit-campaign.tsx'),
    import('./campaign-detail.tsx'),
    import('#ui/dialog/dialog-frame.tsx'),
  ])
})

const path = '/growth/campaigns'
/** A long form renders slowly on a busy machine. */
const slowRender = { timeout: 5_000 }
// Typing letter by letter would render the long form once per letter.
const write = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } })
const stats = { active: 3, completed: 4, total_leads: 200, total_conversions: 30 }

const makeCampaign = (over: Partial<CampaignDetail> = {}): CampaignDetail => ({
  id: 7,
  name: 'Winter stretch',
  status: 'active',
  source: 'facebook_lead_ad',
  budget: '25.50',
  start_date: '2026-11-01',
  end_date: null,
  ...conversionOf(1, 8),
  converted_leads: 1,
  tagged_entities: ['@limberstretch'],
  push: { state: 'not_connected', step: null, error: null, metaCampaignId: null },
  createdAt: '2026-11-01T09:00:00.000Z',
  version: 2,
  ad_message: 'Looser by spring.',
  target_audience: {
    geo_locations: { cities: [{ name: 'Riverside', country: 'US' }] },
    age_min: 25,
    age_max: 60,
    genders: [2],
    languages: [{ name: 'English' }],
    interests: [],
  },
  goals: [{ type: 'Leads', target: 80 }],
  notes: null,
  link_description: null,
  meta_ad_objective: 'LEAD_GENERATION',
  lead_form_fields: ['full_name', 'email'],
  custom_questions: [],
  media: [],
  createdBy: 'Priya Raman',
  locked: [],
  results: {
    days: [{ day: '2026-11-10', leads: 4, conversions: 1 }],
    spent: '255.00',
    cost_per_lead: '31.88',
    cost_per_conversion: '255.00',
  },
  result: null,
  ...over,
})

function fakeCampaigns(campaign = makeCampaign(), isConnected = false) {
  const state = { campaign }
  const server = new FakeServer()
    .answer(listCampaigns, ({ query }) => {
      const campaigns = query.status === '' || query.status === state.campaign.status ? [state.campaign] : []
      return { campaigns, stats, pagination: paginate(1, 24, campaigns.length), isMetaConnected: isConnected }
    })
    .answer(readCampaign, () => ({ campaign: state.campaign }))
    .answer(setCampaignStatus, ({ body }) => {
      state.campaign = { ...state.campaign, status: body.status }
      return { campaign: state.campaign, stats }
    })
    .answer(editCampaign, ({ body }) => {
      state.campaign = { ...state.campaign, name: body.name ?? state.campaign.name, version: 3 }
      return { campaign: state.campaign }
    })
    .answer(pushCampaign, () => {
      state.campaign = { ...state.campaign, push: { ...state.campaign.push, state: 'waiting', error: null } }
      return { campaign: state.campaign, stats }
    })
  return { server, state }
}
const show = (server: FakeServer, session = makeSession()) => renderScreen(<Campaigns />, { server, session, path })
const card = () => screen.findByRole('article', { name: 'Winter stretch' })
const asked = (server: FakeServer, call: object) => server.requests.filter((one) => one.call === call)

describe('campaign cards', () => {
  it('show source, budget, dates and results', async () => {
    await show(fakeCampaigns().server)
    const { textContent } = await card()
    for (const words of [
      'Active',
      'Facebook lead ad',
      '$25.50',
      withoutCurrentYear('Nov 1, 2026'),
      'Ongoing',
      '12.5%',
      '@limberstretch',
    ])
      expect(textContent).toContain(words)
    expect(textContent).toContain('Not sent: Meta is not connected')
    const figures = screen.getByRole('region', { name: 'Campaign totals' })
    expect(figures.textContent).toBe('Active3Completed4Total Leads200Conversions30')
  })

  it('are filtered by the status in the URL, and show an empty state', async () => {
    const { user, router } = await show(fakeCampaigns().server)
    await card()
    await user.selectOptions(screen.getByLabelText('Status'), 'Completed')
    expect(await screen.findByText('No campaigns found')).toBeTruthy()
    expect(router.state.location.search).toEqual({ status: 'completed' })
  })

  it('show Scheduled instead of Active before the start date, also in the status select', async () => {
    const start_date = companyDay(new Date(Date.now() + 5 * 86_400_000))
    const { server } = fakeCampaigns(makeCampaign({ status: 'scheduled', start_date }))
    server.answer(setCampaignStatus, ({ body }) => ({
      campaign: makeCampaign({ start_date, status: body.status === 'active' ? 'scheduled' : body.status }),
      stats,
    }))
    server.answer(undoChange, { undone: 1 })
    const { user, router } = await show(server)
    const choice = within(await card()).getByLabelText<HTMLSelectElement>('Status of Winter stretch')
    expect([...choice.options].map(({ text }) => text)).toEqual(['Scheduled', 'Paused', 'Completed'])
    expect(choice.selectedOptions[0]?.text).toBe('Scheduled')
    expect(within(await card()).getByText('Scheduled', { selector: 'span' })).toBeTruthy()
    await user.selectOptions(choice, 'Paused')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.callCount(undoChange)).toBe(1))
    await user.selectOptions(screen.getByLabelText('Status'), 'Scheduled')
    expect(router.state.location.search).toEqual({ status: 'scheduled' })
    expect(await card()).toBeTruthy()
  })

  it('show the HTTP status when the list fails', async () => {
    const { server } = fakeCampaigns()
    const { user } = await show(server)
    await card()
    server.answer(listCampaigns, new Refusal(503, 'unavailable', 'The database is unavailable.'))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Failed to fetch campaigns: 503', {}, slowRender)).toBeTruthy()
  })

  it('set the status with undo, and report a failure', async () => {
    const { server, state } = fakeCampaigns()
    server.answer(undoChange, { undone: 1 })
    const { user } = await show(server)
    await user.selectOptions(within(await card()).getByLabelText('Status of Winter stretch'), 'Paused')
    expect(await within(await card()).findByText('Paused', { selector: 'span' })).toBeTruthy()
    expect(state.campaign.status).toBe('paused')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.callCount(undoChange)).toBe(1))
    server.answer(
      setCampaignStatus,
      new Refusal(409, 'stale', 'Someone else changed this campaign. Reload and try again.'),
    )
    await user.selectOptions(within(await card()).getByLabelText('Status of Winter stretch'), 'Active')
    expect(await screen.findByText(/Failed to update status/)).toBeTruthy()
  })

  it('hide New Campaign, Edit and the status select without permission', async () => {
    const session = makeSession(permissionNames.filter((name) => !name.startsWith('campaigns.')))
    await show(fakeCampaigns().server, session)
    await card()
    expect(screen.queryByRole('button', { name: /New Campaign|Edit/ })).toBeNull()
    expect(screen.queryByLabelText('Status of Winter stretch')).toBeNull()
  })

  it('show the error of Meta and retry', async () => {
    const push = {
      state: 'failed' as const,
      step: 'ad set',
      error: 'Your budget is too low. (100)',
      metaCampaignId: '12',
    }
    const { server } = fakeCampaigns(makeCampaign({ push }))
    const { user } = await show(server)
    expect((await card()).textContent).toContain('Meta rejected the ad set')
    expect((await card()).textContent).toContain('Your budget is too low. (100)')
    await user.click(screen.getByRole('button', { name: 'Try again: Winter stretch' }))
    expect(await screen.findByText('Updating on Meta')).toBeTruthy()
  })

  it('offer to send a campaign to Meta unless it is completed', async () => {
    const push = { state: 'local' as const, step: null, error: null, metaCampaignId: null }
    const { server, state } = fakeCampaigns(makeCampaign({ push }))
    const { user } = await show(server)
    expect(await screen.findByRole('button', { name: 'Send to Meta: Winter stretch' })).toBeTruthy()
    state.campaign = makeCampaign({ push, status: 'completed' })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Never sent to Meta')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Send to Meta/ })).toBeNull()
  })

  it('open a panel with results and all fields', async () => {
    const { user, router } = await show(fakeCampaigns().server)
    await user.click(await screen.findByRole('link', { name: 'Winter stretch' }))
    const dialog = await screen.findByRole('dialog', {}, slowRender)
    expect(await within(dialog).findByText('$31.88')).toBeTruthy()
    expect(dialog.textContent).toContain('Women aged 25 to 60 who speak English in Riverside, US.')
    expect(dialog.textContent).toContain('80 leads')
    expect(router.state.location.search).toEqual({ campaign: '7' })
  })
})

const draft = (over: Partial<Draft> = {}): Draft => ({
  ...(emptyDraft as Draft),
  name: 'Winter',
  start_date: '2026-11-20',
  ...over,
})

describe('the draft of a campaign', () => {
  const notJson = { questions: '[{' }
  // Each row also breaks the rules that are checked later: only the first fault is reported.
  it.each<[string, Partial<Draft>, string, string]>([
    ['too young', { age_min: 12, countries: [], ...notJson }, 'age_max', 'Invalid age range (13-65)'],
    ['too old', { age_max: 66, countries: [], ...notJson }, 'age_max', 'Invalid age range (13-65)'],
    ['no age', { age_min: undefined, ...notJson } as Partial<Draft>, 'age_max', 'Invalid age range (13-65)'],
    ['minimum above maximum', { age_min: 40, age_max: 30, ...notJson }, 'age_max', 'Invalid age range (13-65)'],
    ['no country', { countries: [], ...notJson }, 'countries', 'Select at least one country'],
    ['no region', { location: 'regions', regions: ' , ', ...notJson }, 'regions', 'Enter at least one region'],
    ['no city', { location: 'cities', ...notJson }, 'cities', 'Enter at least one city'],
    ['radius without city', { location: 'radius', radius: 5, ...notJson }, 'radius', 'Enter a city and radius'],
    ['no radius', { location: 'radius', radius_city: 'Corona', ...notJson }, 'radius', 'Enter a city and radius'],
  ])('reports first: %s', (_what, over, field, text) => {
    expect(faultsOf(draft(over))[0]).toEqual({ field, text })
  })

  it('shows the error of the JSON parser, and ignores questions of other sources', () => {
    expect(faultsOf(draft(notJson))[0]?.text).toMatch(/^Invalid custom_questions JSON: .+JSON/)
    expect(faultsOf(draft({ ...notJson, source: 'email' }))).toEqual([])
    expect(faultsOf(draft())).toEqual([])
  })

  it.each([
    ['{"question":"Why?"}', 'Custom questions must be a JSON list.'],
    [JSON.stringify(Array(16).fill({ question: 'Why?' })), 'The list must have at most 15 questions.'],
    ['[{"question":"Why?"},{"question":" "}]', 'Question 2 must have 1 to 200 characters.'],
    ['[{"question":"Why?","options":[7]}]', 'Question 1 is not valid. Check its type and options.'],
  ])('reports the fault in questions that are valid JSON: %.30s', (questions, text) => {
    expect(faultsOf(draft({ questions }))).toEqual([{ field: 'questions', text }])
  })

  it('requires name, source and start date', () => {
    const read = DraftSchema.safeParse({ ...emptyDraft, source: undefined })
    expect(read.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['name', 'source', 'start_date'])
  })

  it('sends places with the first selected country or US, and genders as numbers', () => {
    const over = { location: 'cities', cities: ' London , Leeds ', countries: ['UK', 'US'], gender: 'MALE' } as const
    expect(audienceOf(draft({ ...over, countries: [...over.countries] }))).toMatchObject({
      geo_locations: {
        cities: [
          { name: 'London', country: 'UK' },
          { name: 'Leeds', country: 'UK' },
        ],
      },
      genders: [1],
    })
    const alone = audienceOf(draft({ location: 'regions', regions: 'California', countries: [] }))
    expect(alone.geo_locations).toEqual({ regions: [{ name: 'California', country: 'US' }] })
    expect(alone.genders).toEqual([1, 2])
  })

  it('leaves out ad fields for other sources', () => {
    const sent = formOf(draft({ source: 'email', tags: ['@a'], questions: '[]' }), [])
    expect(Object.keys(sent)).not.toContain('tagged_entities')
    expect(Object.keys(sent)).not.toContain('custom_questions')
  })

  it('sends questions as typed, and null for empty fields', () => {
    const questions = '[ {"question": "Why?", "question": "Where?"} ]'
    const sent = formOf(draft({ questions, end_date: '', tags: ['@a'] }), [new File([''], 'a.png')])
    expect(sent).toMatchObject({ custom_questions: questions, end_date: null, tagged_entities: ['@a'] })
    expect(sent.media0).toBeInstanceOf(File)
  })

  it('starts with the default form fields if the campaign had no form', () => {
    const none = { lead_form_fields: [] }
    expect(draftOf(makeCampaign({ ...none, source: 'email', meta_ad_objective: null })).form_fields).toEqual([
      'full_name',
      'email',
    ])
    expect(draftOf(makeCampaign(none)).form_fields).toEqual([])
  })
  it('round-trips the audience of a campaign, and describes it', () => {
    const campaign = makeCampaign()
    expect(audienceOf(draftOf(campaign))).toEqual(campaign.target_audience)
    expect(audienceText(campaign.target_audience)).toBe('Women aged 25 to 60 who speak English in Riverside, US.')
    const many = (name: string, country = 'US') => ({ name, country })
    const at = (places: object) => audienceText({ ...campaign.target_audience, geo_locations: places })
    expect(at({ cities: [many('Riverside'), many('Corona'), many('London', 'UK')] })).toBe(
      'Women aged 25 to 60 who speak English in Riverside and Corona, US; London, UK.',
    )
    expect(at({ cities: [{ ...many('Hemet'), radius: 10 }] })).toContain(' within 10 miles of Hemet, US.')
    expect(rateText(conversionOf(0, 0))).toBe('0.0%')
  })
})

describe('the result of a campaign', () => {
  it('shows what was expected, measured and done by similar zones', async () => {
    const change = (users: number) => ({ users, activeUsers: 0, sessions: -3, revenue: 120.5 })
    const marks = [
      {
        afterDays: 30,
        day: '2026-11-30',
        expected: change(10),
        measured: change(14),
        similar: { ...change(4), revenue: null },
      },
      { afterDays: 60, day: '2026-12-30', expected: change(20), measured: null, similar: null },
    ]
    const result = { cityName: 'Riverside', before: change(100), similar: ['Corona', 'Norco'], marks }
    await renderScreen(<Campaigns />, {
      server: fakeCampaigns(makeCampaign({ result })).server,
      path: `${path}?campaign=7`,
    })
    const table = await screen.findByRole('table', { name: 'Result in Riverside' }, slowRender)
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent))
    expect(rows[1]).toEqual(['After 30 daysNov 30'])
    expect(rows[2]).toEqual(['Users', '+10', '+14', '+4'])
    expect(rows[4]).toEqual(['Sessions', '−3', '−3', '−3'])
    expect(rows[5]).toEqual(['Revenue', '+$121', '+$121', '--'])
    expect(rows[6]).toEqual(['After 60 daysmeasured after Dec 30'])
    expect(rows[7]).toEqual(['Users', '+20', '--', '--'])
    expect(screen.getByText(/^In the 30 days before the start: 100 users/)).toBeTruthy()
    expect(screen.getByText(/no campaign of their own: Corona and Norco\./)).toBeTruthy()
  })
})

describe('Create Campaign', () => {
  beforeEach(() => localStorage.clear())

  const open = async (server: FakeServer) => {
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: '+ New Campaign' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create Campaign' }, slowRender)
    return { user, dialog: within(dialog) }
  }
  type Shown = Pick<Awaited<ReturnType<typeof open>>, 'dialog'>
  const go = ({ dialog }: Shown, step: string) => fireEvent.click(dialog.getByRole('button', { name: step }))
  const fill = (shown: Shown) => {
    write(shown.dialog.getByLabelText('Name'), 'Winter')
    go(shown, 'Budget and dates')
    write(shown.dialog.getByLabelText('Start date'), '2026-11-20')
  }
  const submit = (shown: Shown) => {
    go(shown, 'Check')
    fireEvent.click(shown.dialog.getByRole('button', { name: 'Create Campaign' }))
  }

  it('goes on only when the step has no fault, and shows the fault at its field', async () => {
    const shown = await open(fakeCampaigns().server)
    const { user, dialog } = shown
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await dialog.findByText('Name is required.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Name')))
    write(dialog.getByLabelText('Name'), 'Winter')
    write(dialog.getByLabelText('Minimum age'), '12')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await dialog.findByText('Invalid age range (13-65)')).toBeTruthy()
    write(dialog.getByLabelText('Minimum age'), '25')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(dialog.getByLabelText('Ad message')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Winter')
  })

  it('lists what to fix at the last step, leads to each field, and creates the campaign', async () => {
    const { server } = fakeCampaigns()
    server.answer(createCampaign, { campaign: makeCampaign(), stats })
    const shown = await open(server)
    const { user, dialog } = shown
    await user.click(dialog.getByLabelText('US'))
    submit(shown)
    expect(await dialog.findByText('Select at least one country')).toBeTruthy()
    expect(asked(server, createCampaign)).toHaveLength(0)
    go(shown, 'Check')
    expect(dialog.getByText('3 things to fix first')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Start date is required.' }))
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Start date')))
    fireEvent.change(dialog.getByLabelText('Start date'), { target: { value: '2026-11-20' } })
    go(shown, 'Audience')
    write(dialog.getByLabelText('Name'), 'Winter')
    await user.click(dialog.getByLabelText('CA'))
    go(shown, 'Ad')
    write(dialog.getByLabelText('Tagged entities'), 'limber')
    await user.click(dialog.getByRole('button', { name: 'Add tag' }))
    expect(dialog.getByText("A tag must start with '@' and contain no spaces.")).toBeTruthy()
    const before = asked(server, listCampaigns).length
    submit(shown)
    expect(await screen.findByText('Campaign created successfully', {}, slowRender)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(asked(server, listCampaigns).length).toBeGreaterThan(before)
  })

  it('shows the ad while it is written, and what it can cost before it is created', async () => {
    const shown = await open(fakeCampaigns().server)
    const { dialog } = shown
    const preview = within(dialog.getByRole('complementary', { name: 'Preview of the ad' }))
    expect(preview.getByText('The ad message appears here.')).toBeTruthy()
    fill(shown)
    expect(preview.getByText('Winter')).toBeTruthy()
    write(dialog.getByLabelText('Daily budget'), '25.50')
    write(dialog.getByLabelText('End date'), '2026-11-29')
    go(shown, 'Ad')
    write(dialog.getByLabelText('Ad message'), 'Looser by spring.')
    expect(preview.getByText('Looser by spring.')).toBeTruthy()
    expect(preview.getByText('Coastline Stretch')).toBeTruthy()
    expect(preview.getByText('Sign up')).toBeTruthy()
    expect(within(preview.getByRole('region', { name: 'Lead form' })).getByText('Full name')).toBeTruthy()
    go(shown, 'Check')
    expect(dialog.getByText('$25.50 per day, at most $255.00 in 10 days')).toBeTruthy()
    expect(dialog.getByText('People aged 18 to 65 in US.')).toBeTruthy()
  })

  it('keeps what was typed until the campaign is created or started over', async () => {
    const { server } = fakeCampaigns()
    const first = await open(server)
    fill(first)
    write(first.dialog.getByLabelText('Daily budget'), '25.50')
    write(first.dialog.getByLabelText('Start date'), '')
    await first.user.click(first.dialog.getByRole('button', { name: 'Audience' }))
    await first.user.click(first.dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    cleanup()
    const second = await open(server)
    expect(second.dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Winter')
    go(second, 'Budget and dates')
    expect(second.dialog.getByLabelText<HTMLInputElement>('Daily budget').value).toBe('25.50')
    expect(second.dialog.getByText(/^This is the draft that you left\./)).toBeTruthy()
    await second.user.click(second.dialog.getByRole('button', { name: 'Start over' }))
    const empty = within(await screen.findByRole('dialog', { name: 'Create Campaign' }))
    expect(empty.getByLabelText<HTMLInputElement>('Name').value).toBe('')
    expect(empty.queryByText(/^This is the draft that you left\./)).toBeNull()
  })

  it('starts for a zone from the map, only with an expectation', async () => {
    const { server } = fakeCampaigns()
    server
      .answer(createCampaign, { campaign: makeCampaign(), stats })
      .answer(readCitySummary, makeCity({ name: 'Riverside' }))
    const { router } = await renderScreen(<Campaigns />, { server, path: `${path}?place=Riverside` })
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Campaign' }, slowRender))
    expect(await dialog.findByText(/^Riverside in the last 30 days: 1,284 users, 902 active/)).toBeTruthy()
    fill({ dialog })
    submit({ dialog })
    expect(await dialog.findByText('Users or another expected change is required.')).toBeTruthy()
    write(dialog.getByLabelText('Revenue'), '1200')
    submit({ dialog })
    expect(await screen.findByText('Campaign created successfully', {}, slowRender)).toBeTruthy()
    const form = asked(server, createCampaign)[0]?.body as unknown as FormData
    expect(form.get('city_name')).toBe('Riverside')
    expect(JSON.parse(String(form.get('expected')))).toEqual({ users: 0, activeUsers: 0, sessions: 0, revenue: 1200 })
    expect(router.state.location.search).toEqual({})
  })

  it('explains what happens to a lead ad, with and without Meta', async () => {
    const without = fakeCampaigns()
    without.server.answer(createCampaign, { campaign: makeCampaign(), stats })
    const shown = await open(without.server)
    fill(shown)
    go(shown, 'Check')
    expect(shown.dialog.getByText(/^Meta is not connected, so a Facebook lead ad is saved here/)).toBeTruthy()
    expect(shown.dialog.queryByText(/sent to Meta paused/)).toBeNull()
    submit(shown)
    expect(await screen.findByText('It was not sent because Meta is not connected.', {}, slowRender)).toBeTruthy()
    cleanup()
    const connected = await open(fakeCampaigns(makeCampaign(), true).server)
    go(connected, 'Check')
    expect(connected.dialog.getByText(/^A Facebook lead ad is sent to Meta paused\. Nothing is spent/)).toBeTruthy()
  })

  it('shows ad and form fields depending on source and objective', async () => {
    const shown = await open(fakeCampaigns().server)
    const { user, dialog } = shown
    go(shown, 'Ad')
    expect(dialog.getByLabelText('Company name')).toBeTruthy()
    go(shown, 'Audience')
    await user.selectOptions(dialog.getByLabelText('Meta ad objective'), 'TRAFFIC')
    go(shown, 'Ad')
    expect(dialog.queryByLabelText('Company name')).toBeNull()
    expect(dialog.getByLabelText('Link description')).toBeTruthy()
    go(shown, 'Audience')
    await user.selectOptions(dialog.getByLabelText('Source'), 'Email')
    go(shown, 'Ad')
    expect(dialog.queryByLabelText('Link description')).toBeNull()
    expect(dialog.getByText(/^Limber sends no ad for this source\./)).toBeTruthy()
  })

  it('edits questions as rows or as JSON, each with its own answer options', async () => {
    const shown = await open(fakeCampaigns().server)
    const { user, dialog } = shown
    go(shown, 'Ad')
    const add = () => user.click(dialog.getByRole('button', { name: 'Add question' }))
    await add()
    write(dialog.getByLabelText('Question 1'), 'When?')
    write(dialog.getByLabelText('Answer options'), 'Mornings, ')
    await add()
    write(dialog.getByLabelText('Question 2'), 'Where?')
    write(dialog.getAllByLabelText('Answer options')[1] as HTMLElement, 'Home,Work')
    await user.click(dialog.getByRole('button', { name: 'Remove question 1' }))
    const json = dialog.getByLabelText<HTMLTextAreaElement>(/As JSON/)
    expect(JSON.parse(json.value)).toEqual([{ question: 'Where?', type: 'MULTIPLE_CHOICE', options: ['Home', 'Work'] }])
    expect(dialog.getByLabelText<HTMLInputElement>('Answer options').value).toBe('Home, Work')
    write(json, '[{"question":"Who?","options":["Me"]}]')
    expect(dialog.getByLabelText<HTMLInputElement>('Question 1').value).toBe('Who?')
    expect(dialog.getByLabelText<HTMLInputElement>('Answer options').value).toBe('Me')
  })

  it('keeps the draft and shows the error of the server after a failure', async () => {
    const { server } = fakeCampaigns()
    server.answer(createCampaign, new Refusal(413, 'too_large', 'Images can be at most 10 MB.'))
    const shown = await open(server)
    fill(shown)
    submit(shown)
    expect(await shown.dialog.findByText('Images can be at most 10 MB.')).toBeTruthy()
    go(shown, 'Audience')
    expect(shown.dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Winter')
  })
})

describe('Edit', () => {
  it('saves with the version that was loaded', async () => {
    const { server } = fakeCampaigns()
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Edit Winter stretch' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Winter stretch' }, slowRender))
    write(dialog.getByLabelText('Name'), 'Spring stretch')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Spring stretch saved.', {}, slowRender)).toBeTruthy()
    expect(asked(server, editCampaign)[0]?.body).toMatchObject({ name: 'Spring stretch', version: 2 })
  })

  it('locks fields that are on Meta, explains why, and does not send them', async () => {
    const { server } = fakeCampaigns(
      makeCampaign({ locked: ['source', 'meta_ad_objective', 'start_date', 'target_audience'] }),
    )
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Edit Winter stretch' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Winter stretch' }, slowRender))
    expect(dialog.getByText(/these can no longer change: source, objective, start date,? and audience\./)).toBeTruthy()
    const disabled = (name: string) => {
      const field = dialog.getByLabelText<HTMLInputElement>(name)
      return field.disabled || field.closest('fieldset[disabled]') !== null
    }
    const fields = {
      Audience: { Source: true, 'Meta ad objective': true, Cities: true, 'Minimum age': true, Name: false },
      'Budget and dates': { 'Start date': true, 'Daily budget': false },
      Ad: { 'Ad message': false, 'As JSON': false },
    }
    for (const [step, expected] of Object.entries(fields)) {
      await user.click(dialog.getByRole('button', { name: step }))
      for (const [name, isDisabled] of Object.entries(expected))
        expect([name, disabled(name)]).toEqual([name, isDisabled])
    }
    write(dialog.getByLabelText('Ad message'), 'Another message')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Winter stretch saved.', {}, slowRender)).toBeTruthy()
    const [sent] = asked(server, editCampaign)
    expect(sent?.body).toMatchObject({ ad_message: 'Another message' })
    expect(sent?.body).not.toHaveProperty('target_audience')
    expect(sent?.body).not.toHaveProperty('source')
  })
})
