import { listSchedules, runSchedule } from '@limber/contract/automation/schedule.ts'
import { startBackup } from '@limber/contract/backups/backup.ts'
import { listUnusedBlocks } from '@limber/contract/businesses/blocks/block.ts'
import { activateBlock, listCandidates } from '@limber/contract/businesses/sessions/onsite.ts'
import { createCertification, findHolders } from '@limber/contract/certifications/certification.ts'
import { listCertificationTypes } from '@limber/contract/certifications/type.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { assignLead, listLeads, listLeadWorkers, readLead } from '@limber/contract/marketing/leads/lead.ts'
import { adjustCredits } from '@limber/contract/support/customers/account.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import { assignTicket, listTickets, listTicketWorkers, readTicket } from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeSchedule } from '#automation/schedule.testing.ts'
import { makeLead } from '#marketing/leads/leads.testing.ts'
import { now } from '#platform/clock.ts'
import { FakeServer, makeSession, renderScreen } from '#platform/testing/testing.tsx'
import { makeUser } from '#support/customers/users.testing.ts'
import { makeTicket } from '#support/tickets/ticket.testing.ts'
import { currentToasts } from '#ui/feedback/toast-store.ts'
import { registry } from '../areas.ts'
import { RegistryProvider } from '../section-registry.ts'
import Palette from './palette.tsx'

beforeEach(() => localStorage.clear())

const onlyVerbs = { ...registry, paletteSources: [] }
const open = (options: Parameters<typeof renderScreen>[1] = {}) =>
  renderScreen(
    <RegistryProvider value={onlyVerbs}>
      <Palette isOpen onClose={() => undefined} onHelp={() => undefined} />
    </RegistryProvider>,
    { path: '/here', ...options },
  )
/** The results for what is typed. */
const options = (group: string) => {
  expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false')
  return within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((option) => option.textContent)
}

/** An option of the results for what is typed; earlier results are replaced under the pointer. */
const foundOption = (name: RegExp) =>
  waitFor(() => {
    expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false')
    return screen.getByRole('option', { name })
  })

describe('the palette', () => {
  const jazmin = {
    ...{ id: 7, name: 'Jazmín Reyes', email: 'jaz@example.com', phone: null, verified: true },
    ...{ rank: 'Gold', points: 1, status: 'blocked' as const, ended: null, joinedAt: '2025-02-01T00:00:00Z' },
  }
  const listOf = (...users: (typeof jazmin)[]) => ({
    users,
    pagination: { page: 1, limit: 5, totalItems: users.length, totalPages: 1, pages: 1 },
  })

  it('opens a form, and shows what was done most first', async () => {
    const { user, router } = await open()
    await user.type(await screen.findByRole('combobox'), 'invite')
    await waitFor(() => expect(options('Do')).toEqual(['Invite worker']))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/worker/tech/access?do=invite'))
  })

  it('takes the record in place, then what is missing, in either order', async () => {
    const asked = vi.fn()
    const issued = vi.fn()
    const server = new FakeServer()
      .answer(findHolders, ({ query }) => {
        asked(query.search)
        return { holders: [{ id: 31, name: 'Maya Chen', email: 'maya@example.com', isStretcher: true }] }
      })
      .answer(listCertificationTypes, {
        types: [
          {
            ...{ id: 3, certificationName: 'On-site', description: '', validMonths: 12, isRequired: true },
            ...{ isRetired: false, courses: [], certifications: 1, valid: 1, version: 1 },
          },
        ],
        courses: [],
      })
      .answer(createCertification, ({ body }) => {
        issued(body)
        return { certificationName: 'On-site', userName: 'Maya Chen' } as never
      })
    const { user, router } = await open({ server })
    const field = await screen.findByRole('combobox')
    await user.type(field, 'certification')
    await waitFor(() => expect(options('Do')).toContain('Issue certification…'))
    await user.click(screen.getByRole('option', { name: /^Issue\s*certification/ }))
    expect((field as HTMLInputElement).value).toBe('')
    expect(screen.getByText('Issue certification', { selector: 'b' })).toBeTruthy()
    await user.type(field, 'may')
    await waitFor(() => expect(options('Issue certification…')).toEqual(['Maya Chenmaya@example.com']))
    await waitFor(() => expect(asked).toHaveBeenLastCalledWith('may'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(options('Certification')).toEqual(['On-site']))
    await user.keyboard('{Tab}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    const form = within(outcome).getByRole('button', { name: 'Open as form' })
    await user.type(screen.getByRole('combobox', { name: 'Instructor' }), 'Renata Solis')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() =>
      expect(issued).toHaveBeenCalledExactlyOnceWith({
        ...{ userId: 31, certificationTypeId: 3, name: 'Maya Chen', instructor: 'Renata Solis' },
      }),
    )
    await user.click(form)
    await waitFor(() => expect(router.state.location.href).toBe('/certifications?view=create&user=31&type=3'))
    expect(localStorage.getItem('limber.palette.recent')).toBe('certification-issue')
  })

  it('lists recent verbs before anything is typed', async () => {
    localStorage.setItem('limber.palette.recent', 'lead-new backup-run backup-run backup-run')
    await open()
    await waitFor(() => expect(options('Recent')).toEqual(['Run backup', 'New lead']))
  })

  it('begins with what can be done on the screen', async () => {
    await open({ path: '/certifications' })
    await waitFor(() => expect(options('Here')).toContain('Issue certification…'))
    expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
  })

  it('leaves out what the worker may not do', async () => {
    const { user } = await open({ session: makeSession(['growth.tab']) })
    const field = await screen.findByRole('combobox')
    await user.type(field, 'lead')
    await waitFor(() => expect(options('Do')).toContain('Assign lead…'))
    expect(screen.queryByRole('option', { name: 'New lead' })).toBeNull()
    await user.clear(field)
    await user.type(field, 'backup')
    await waitFor(() => expect(screen.queryAllByRole('option')).toEqual([]))
  })

  it('says what will happen before it acts, and that it asks for the passkey', async () => {
    const started = vi.fn()
    const server = new FakeServer().answer(startBackup, () => {
      started()
      return {} as never
    })
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'run backup')
    await waitFor(() => expect(options('Do')).toEqual(['Run backup']))
    await user.keyboard('{Enter}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toContain('Asks for your passkey')
    expect(started).not.toHaveBeenCalled()
    await user.click(within(outcome).getByRole('button', { name: 'Back up now' }))
    await waitFor(() => expect(started).toHaveBeenCalledOnce())
  })

  it('does not announce the passkey while an earlier confirmation is valid', async () => {
    const session = makeSession(undefined, { steppedUpUntil: new Date(now().getTime() + 60_000).toISOString() })
    const { user } = await open({ session })
    await user.type(await screen.findByRole('combobox'), 'run backup')
    await waitFor(() => expect(options('Do')).toEqual(['Run backup']))
    await user.keyboard('{Enter}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).not.toContain('passkey')
  })

  it('goes to a date in words, where the worker may look at it', async () => {
    const day = addDays(companyDay(now()), 3)
    const inWords = formatDay(day, { now: now(), hasWeekday: true })
    const { user, router } = await open({ session: makeSession(['businesses.manage', 'support.tab']) })
    const field = await screen.findByRole('combobox')
    await user.type(field, 'go to date in 3 days')
    await waitFor(() =>
      expect(options('Go to date…')).toEqual([expect.stringMatching(`^On-site sessions, week of .*${inWords}$`)]),
    )
    await user.clear(field)
    await user.type(field, 'yesterday')
    const before = formatDay(addDays(companyDay(now()), -1), { now: now(), hasWeekday: true })
    await waitFor(() =>
      expect(options('Go to date…')).toEqual([
        expect.stringMatching(`^On-site sessions, week of .*${before}$`),
        expect.stringMatching(/^Emails of /),
      ]),
    )
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(router.state.location.href).toBe(
        `/worker/managing/businesses/sessions?week=${addDays(companyDay(now()), -1)}`,
      ),
    )
  })

  it('schedules a session from a business and a start in words', async () => {
    const scheduled = vi.fn()
    const block = {
      ...{ id: 12, block_hours: 2, slot_length_minutes: 15, internal_label: 'Winter', expires_on: null },
      business: {
        ...{ id: 5, name: 'Loma Vista', admin_email: 'desk@loma.example.com', zone_name: 'Riverside' },
        time_zone: 'America/Los_Angeles',
      },
    }
    const able = { lacks: null, clash: null, next_starts: [] }
    const server = new FakeServer()
      .answer(listUnusedBlocks, { blocks: [block], isMore: false })
      .answer(listCandidates, {
        ...{ time_zone: 'America/Los_Angeles', zone_name: 'Riverside', ends_at: '2026-12-01T19:30:00' },
        candidates: [
          { ...able, id: 8, name: 'Renata Solis', state: 'busy' },
          { ...able, id: 9, name: 'Omar Diaz', state: 'free' },
        ],
        next_starts: [{ starts_at: '2026-12-01T20:00:00', stretcher_id: 8 }],
      })
      .answer(activateBlock, ({ body }) => {
        scheduled(body)
        return {} as never
      })
    const { user, router } = await open({ server })
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    await user.type(field, 'schedule session at dec 1, 2026')
    await waitFor(() =>
      expect(options('Block')).toEqual([
        `Plan the week of ${formatDay('2026-11-30', { now: now() })}${formatDay('2026-12-01', { now: now(), hasWeekday: true })}`,
        'Loma VistaWinter · 2 h in 15-minute slots',
      ]),
    )
    await user.clear(field)
    await user.type(field, 'loma dec 1, 2026 9:30')
    await waitFor(() => expect(options('Block')[0]).toContain('Loma Vista'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(field.value).toBe('dec 1, 2026 9:30'))
    await waitFor(() => expect(options('Start')).toHaveLength(3))
    expect(options('Start')[0]).toMatch(/9:30 AM.*Renata SolisBusy$/)
    expect(options('Start')[2]).toMatch(/12:00 PM.*Renata Solis$/)
    await user.click(screen.getByRole('option', { name: /Omar Diaz/ }))
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toContain('9:30 AM – 11:30 AM')
    expect(outcome.textContent).toContain('To Omar Diaz and desk@loma.example.com')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() =>
      expect(scheduled).toHaveBeenCalledExactlyOnceWith({
        ...{ prepaid_block_id: 12, stretcher_id: 9, starts_at: '2026-12-01T17:30:00.000Z' },
        notify: { stretcher: true, business: true, participants: false },
      }),
    )
    expect(router.state.location.pathname).toBe('/here')
  })

  it('does not promise an email without a mail server', async () => {
    const business = { id: 5, name: 'Loma Vista', admin_email: 'desk@loma.example.com', zone_name: 'Riverside' }
    const server = new FakeServer()
      .answer(listUnusedBlocks, {
        blocks: [
          {
            ...{ id: 12, block_hours: 2, slot_length_minutes: 15, internal_label: 'Winter', expires_on: null },
            business: { ...business, time_zone: 'America/Los_Angeles' },
          },
        ],
        isMore: false,
      })
      .answer(listCandidates, {
        ...{ time_zone: 'America/Los_Angeles', zone_name: 'Riverside', ends_at: '2026-12-01T19:30:00' },
        candidates: [{ id: 9, name: 'Omar Diaz', state: 'free', lacks: null, clash: null, next_starts: [] }],
        next_starts: [{ starts_at: '2026-12-01T20:00:00', stretcher_id: 9 }],
      })
    const { user } = await open({ server, session: makeSession(undefined, { hasMailServer: false }) })
    await user.type(await screen.findByRole('combobox'), 'schedule loma')
    await user.click(await screen.findByRole('option', { name: /Winter/ }))
    await user.click(await screen.findByRole('option', { name: /Omar Diaz/ }))
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toContain('nothing is sent')
  })

  it('offers the records that were opened, and takes them as arguments first', async () => {
    const opened = (of: string, id: number, title: string) => ({ of, id, title })
    localStorage.setItem(
      'limber.palette.records.7',
      JSON.stringify([
        opened('ticket', 249, 'Cut short'),
        opened('customer', 9, 'Andrew Santos'),
        ...[1, 2].flatMap(() => [opened('customer', 7, 'Jazmín Reyes'), opened('business', 3, 'Loma Vista')]),
      ]),
    )
    const server = new FakeServer()
      .answer(listUsers, listOf({ ...jazmin, id: 8, name: 'Newest Customer', status: 'active' as never }))
      .answer(readUser, makeUser({ personalInfo: { id: 7, name: 'Jazmín Reyes' }, engagement: { credits: 3 } }))
    const session = makeSession(['support.tab', 'users.overview', 'tickets.handle'])
    const { user } = await open({ server, session })
    // Businesses are not for this worker.
    await waitFor(() =>
      expect(options('Recent')).toEqual(['#249 Cut shortTicket', 'Jazmín ReyesCustomer', 'Andrew SantosCustomer']),
    )
    const field = await screen.findByRole('combobox')
    await user.type(field, 'grant credit ')
    await waitFor(() => expect(options('Customer')).toHaveLength(3))
    expect(options('Customer').map((text) => text?.slice(0, 6))).toEqual(['Jazmín', 'Andrew', 'Newest'])
    await user.keyboard('{Tab}')
    await waitFor(() => expect(options('Credits')).toContain('Grant 2 credits3 now, 5 after'))
  })

  it('grants credits in one sentence, and says what will happen first', async () => {
    const asked = vi.fn()
    const server = new FakeServer().answer(listUsers, ({ query }) => {
      asked(query.search)
      return {
        users: [
          {
            ...{ id: 7, name: 'Jazmín Reyes', email: 'jaz@example.com', phone: null, verified: true },
            ...{ rank: 'Gold', points: 1, status: 'active' as const, ended: null, joinedAt: '2025-02-01T00:00:00Z' },
          },
        ],
        pagination: { page: 1, limit: 5, totalItems: 1, totalPages: 1, pages: 1, isMore: false },
      }
    })
    const jazmin = makeUser({ personalInfo: { id: 7, name: 'Jazmín Reyes' }, engagement: { credits: 3 } })
    const granted = vi.fn()
    server.answer(readUser, jazmin).answer(adjustCredits, ({ body }) => {
      granted(body)
      return { id: 7, version: 2, credits: 5 }
    })
    const { user } = await open({ server })
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    await user.type(field, 'grant credit 2 credits jaz')
    expect(field.value).toBe('jaz')
    expect(screen.getByText('2 credits')).toBeTruthy()
    await waitFor(() => expect(options('Customer')).toEqual(['Jazmín ReyesGrant 2 credits · jaz@example.com']))
    await waitFor(() => expect(asked).toHaveBeenLastCalledWith('jaz'))
    await user.keyboard('{Enter}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toMatch(/Credits of Jazmín Reyes3\s+to 5/)
    const button = within(outcome).getByRole<HTMLButtonElement>('button', { name: 'Grant 2 credits' })
    expect(button.disabled).toBe(true)
    await user.type(screen.getByRole('combobox', { name: 'Reason' }), 'session cut short{Enter}')
    expect(outcome.textContent).toContain('+2, “session cut short”')
    expect(options('Also for Jazmín Reyes')).toContain('Open timeline')
    expect(granted).not.toHaveBeenCalled()
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(granted).toHaveBeenCalledExactlyOnceWith({ delta: 2, reason: 'session cut short' }))
    await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('Jazmín Reyes now has 5 credits.'))
  })

  it('goes on when the customer is chosen before the amount', async () => {
    const granted = vi.fn()
    const server = new FakeServer()
      .answer(listUsers, ({ query }) =>
        query.search === 'jaz' ? listOf({ ...jazmin, status: 'active' as never }) : listOf(),
      )
      .answer(readUser, makeUser({ personalInfo: { id: 7, name: 'Jazmín Reyes' }, engagement: { credits: 3 } }))
      .answer(adjustCredits, ({ body }) => {
        granted(body)
        return { id: 7, version: 2, credits: 5 }
      })
    const { user } = await open({ server })
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    await user.type(field, 'grant credit jaz because it was short')
    await waitFor(() => expect(options('Customer')).toHaveLength(1))
    await user.keyboard('{Tab}')
    await waitFor(() => expect(options('Credits')).toHaveLength(3))
    await user.type(screen.getByRole('combobox'), '-4')
    await waitFor(() => expect(options('Credits')).toEqual(['Remove 4 credits3 now, -1 afterOnly 3 credits left']))
    await user.clear(screen.getByRole('combobox'))
    await user.type(screen.getByRole('combobox'), '2 cre')
    await waitFor(() => expect(options('Credits')).toEqual(['Grant 2 credits3 now, 5 after']))
    await user.keyboard('{Enter}')
    const reason = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Reason' })
    expect(reason.value).toBe('it was short')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(granted).toHaveBeenCalledExactlyOnceWith({ delta: 2, reason: 'it was short' }))
  })

  it.each([
    ['grant jaz', 'Grant credit…', /^Jazmín/],
    ['grant 2 credits to jaz', 'Grant credit…', /Grant 2 credits/],
    ['take 2 credits from jaz', 'Grant credit…', /Remove 2 credits/],
    ['2 credits jaz short session', 'Grant credit…', /Grant 2 credits.*“short session”/],
    ['block jaz abusive', 'Customer', /“abusive”/],
  ])('understands “%s”', async (words, group, shown) => {
    const server = new FakeServer().answer(listUsers, ({ query }) =>
      query.search === 'jaz' ? listOf({ ...jazmin, status: 'active' as never }) : listOf(),
    )
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), words)
    await waitFor(() => expect(options(group)).toEqual([expect.stringMatching(shown)]))
  })

  it.each(['assign ticket 249 to ken', 'assign ken 249'])('assigns with “%s”', async (words) => {
    const kenji = { id: 4, name: 'Kenji Morales', open: 2, awayUntil: null }
    const server = new FakeServer()
      .answer(listTickets, ({ query }) =>
        query.search === '249' ? [makeTicket({ id: 249, subject: 'Cut short' })] : [],
      )
      .answer(readTicket, makeTicket({ id: 249, subject: 'Cut short', assignee: null }))
      .answer(listTicketWorkers, [kenji, { ...kenji, id: 5, name: 'Dana Whitfield' }])
    const { user } = await open({ server, session: makeSession(['support.tab', 'tickets.handle']) })
    await user.type(await screen.findByRole('combobox'), words)
    await user.click(await foundOption(/Cut short/))
    await waitFor(() => expect(options('Worker')).toEqual(['Kenji Morales']))
    await user.keyboard('{Enter}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toMatch(/Unassigned\s+to Kenji Morales/)
  })

  it('assigns a lead to a worker, either named first', async () => {
    const assigned = vi.fn()
    const lead = makeLead({ id: 6, first_name: 'Ana', last_name: 'Lopez' })
    const server = new FakeServer()
      .answer(listLeads, {
        ...{ leads: [lead], pagination: paginate(1, 1, 5) },
        stats: { total: 1, new: 1, contacted: 0, converted: 0, not_interested: 0 } as never,
      })
      .answer(readLead, { lead })
      .answer(listLeadWorkers, [{ id: 4, name: 'Kenji Morales', open: 1 }])
      .answer(assignLead, ({ body }) => {
        assigned(body.workerId)
        return { lead }
      })
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'assign lead ana to ken')
    await user.click(await foundOption(/^Ana/))
    // The letters that were typed are an element of their own.
    await user.click(await foundOption(/^Ken ?ji Morales$/))
    await screen.findByRole('region', { name: 'What will happen' })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(assigned).toHaveBeenCalledExactlyOnceWith(4))
  })

  it('takes back one part of the sentence at a time', async () => {
    const server = new FakeServer().answer(listSchedules, [makeSchedule()])
    const { user } = await open({ server })
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    await user.type(field, 'run schedule pay')
    await waitFor(() => expect(options('Schedule')).toHaveLength(1))
    await user.keyboard('{Enter}')
    expect((await screen.findByRole('region', { name: 'What will happen' })).textContent).toContain('It runs once.')
    await user.keyboard('{Backspace}')
    expect(screen.queryByRole('region', { name: 'What will happen' })).toBeNull()
    expect(field.value).toBe('pay')
    await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}')
    expect(screen.queryByText('Run schedule', { selector: 'b' })).toBeNull()
    expect(server.callCount(runSchedule)).toBe(0)
  })

  it('shows who cannot be chosen with the reason, and does not choose them', async () => {
    const server = new FakeServer().answer(listUsers, listOf(jazmin))
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'block jaz')
    const refused = await screen.findByRole('option', { name: /Already blocked/ })
    expect(refused.getAttribute('aria-disabled')).toBe('true')
    await user.keyboard('{Enter}')
    await user.click(refused)
    expect(screen.queryByRole('region', { name: 'What will happen' })).toBeNull()
  })

  it('asks for the second record of a sentence, and acts with Ctrl Enter only', async () => {
    const assigned = vi.fn()
    const kenji = { id: 4, name: 'Kenji Morales', open: 2, awayUntil: null }
    const server = new FakeServer()
      .answer(readTicket, makeTicket({ id: 249, subject: 'Cut short', assignee: null }))
      .answer(listTicketWorkers, [kenji, { ...kenji, id: 5, name: 'Dana Whitfield' }])
      .answer(assignTicket, ({ body }) => {
        assigned(body.workerId)
        return makeTicket({ id: 249 })
      })
    const { user } = await open({ server, path: '/support/tickets?ticket=249' })
    await waitFor(() => expect(options('On ticket #249')).toEqual(['Close ticketE', 'Assign ticket']))
    await user.click(screen.getByRole('option', { name: 'Assign ticket' }))
    await user.type(await screen.findByPlaceholderText('Worker'), 'ken')
    await waitFor(() => expect(options('Worker')).toEqual(['Kenji Morales']))
    await user.keyboard('{Tab}')
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toMatch(/Assignee of ticket #249Unassigned\s+to Kenji Morales/)
    await user.keyboard('{Enter}')
    expect(assigned).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'What will happen' })).toBeNull()
    await waitFor(() => expect(options('Worker')).toContain('Kenji Morales'))
    await user.click(screen.getByRole('option', { name: 'Kenji Morales' }))
    await screen.findByRole('region', { name: 'What will happen' })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(assigned).toHaveBeenCalledExactlyOnceWith(4))
  })

  it('opens the form with the same values instead', async () => {
    const server = new FakeServer()
      .answer(listUsers, listOf({ ...jazmin, status: 'active' as never }))
      .answer(readUser, makeUser({ personalInfo: { id: 7, name: 'Jazmín Reyes' } }))
    const { user, router } = await open({ server })
    // The same without the verb, and with the reason.
    await user.type(await screen.findByRole('combobox'), '2 credits jaz because it was short')
    // Her record is found before the sentence is whole.
    await user.click(await screen.findByRole('option', { name: /^Jazmín Reyes.*Grant 2 credits/ }))
    const outcome = await screen.findByRole('region', { name: 'What will happen' })
    expect(outcome.textContent).toContain('“it was short”')
    await user.click(within(outcome).getByRole('button', { name: 'Open as form' }))
    await waitFor(() => expect(router.state.location.href).toBe('/support/users?user=7&view=credits&amount=2'))
  })

  it('says when nothing has that name, and where else to look', async () => {
    const server = new FakeServer().answer(listUsers, listOf())
    const { user, router } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'block jazmin r')
    expect(await screen.findByText('No customer named “jazmin r”')).toBeTruthy()
    await user.click(screen.getByRole('option', { name: /^Search all tickets for/ }))
    await waitFor(() => expect(router.state.location.href).toBe('/support/tickets?q=jazmin+r'))
  })

  it('keeps what is known while the server is away, and asks again', async () => {
    const server = new FakeServer().answer(listUsers, listOf({ ...jazmin, status: 'active' as never }))
    server.isDown = true
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'block jaz')
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    server.isDown = false
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('option', { name: /mín Reyes/ })).toBeTruthy()
    expect(screen.queryByText(/Search is not available/)).toBeNull()
  })

  it('lists the keys with ? in the empty field', async () => {
    const onHelp = vi.fn()
    const { user } = await renderScreen(
      <RegistryProvider value={onlyVerbs}>
        <Palette isOpen onClose={() => undefined} onHelp={onHelp} />
      </RegistryProvider>,
      { path: '/here' },
    )
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    await user.type(field, 'a?')
    expect(onHelp).not.toHaveBeenCalled()
    await user.clear(field)
    await user.keyboard('?')
    expect(onHelp).toHaveBeenCalledOnce()
  })

  it('exports the list of the screen, if it has one', async () => {
    const clicked = vi.fn((event: Event) => event.preventDefault())
    const main = document.createElement('main')
    main.innerHTML = '<a data-export href="/api/leads.csv">CSV</a>'
    main.addEventListener('click', clicked)
    const { user } = await open()
    const field = await screen.findByRole('combobox')
    await user.type(field, 'export')
    await waitFor(() => expect(options('Do')).not.toContain('Export this list'))
    document.body.append(main)
    await user.clear(field)
    await waitFor(() => expect(options('Here')).toEqual(['Export this list']))
    await user.type(field, 'export this')
    await waitFor(() => expect(options('Do')).toEqual(['Export this list']))
    await user.keyboard('{Enter}')
    expect(clicked).toHaveBeenCalledOnce()
    main.remove()
  })

  it('copies the link of the screen', async () => {
    const { user } = await open()
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await user.type(await screen.findByRole('combobox'), 'copy link')
    await waitFor(() => expect(options('Do')).toEqual(['Copy link']))
    await user.keyboard('{Enter}')
    expect(write).toHaveBeenCalledWith(window.location.href)
    await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('Link copied.'))
  })
})
