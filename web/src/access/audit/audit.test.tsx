import {
  type AuditRow,
  listAudit,
  listAuditTerms,
  readAuditEntry,
  verifyAudit,
} from '@limber/contract/access/audit/audit.ts'
import { approveRecovery, denyRecovery, listRecoveries, listWorkers } from '@limber/contract/access/workers/worker.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeRecovery, makeWorker } from '../access.testing.ts'
import Recoveries from '../recovery/recoveries.screen.tsx'
import Audit from './audit.screen.tsx'

const entry: AuditRow = {
  id: 55,
  at: '2026-11-14T17:00:00.000Z',
  actor: null,
  worker: { id: 7, name: 'Priya Raman' },
  call: 'PATCH /api/access/workers/:id/permissions',
  action: 'permissions_changed',
  outcome: 'done',
  subject: 'worker',
  subjectId: '12',
  subjectName: null,
  before: { role: 'Finance', permissions: ['2', '39'] },
  after: { role: 'Finance', permissions: ['2', '97'] },
  reason: null,
  areValuesHidden: false,
  address: '10.0.0.1',
  requestId: 'r-1',
}
const pageOf = (...recoveries: ReturnType<typeof makeRecovery>[]) => ({
  recoveries,
  pagination: paginate(1, 25, recoveries.length),
})
const log = () =>
  new FakeServer()
    .answer(listRecoveries, pageOf())
    .answer(listAuditTerms, { actions: ['permissions_changed', 'signed_in'], subjects: ['session', 'worker'] })
    .answer(listWorkers, { workers: [makeWorker()], pagination: paginate(1, 100, 1) })
    .answer(listAudit, { entries: [entry], next: '1763139600000.55' })

const open = (server: FakeServer, search = '') =>
  renderScreen(<Audit />, { server, path: `/worker/tech/access/audit${search}` })

describe('the audit log', () => {
  it('shows who did what to which record', async () => {
    await open(log())
    expect(await screen.findByRole('button', { name: 'Priya Raman changed the permissions of worker 12' })).toBeTruthy()
  })

  it('shows the difference between before and after', async () => {
    const { user, router } = await open(log())
    await user.click(await screen.findByRole('button', { name: 'Priya Raman changed the permissions of worker 12' }))
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Priya Raman changed the permissions of worker 12' }),
    )
    expect(dialog.getByText('Run the tax audit and fix discrepancies (39)').tagName).toBe('DEL')
    expect(dialog.getByText('Manage workers, access and API keys, and read the audit log (97)').tagName).toBe('INS')
    expect(dialog.getByText('1 value unchanged.')).toBeTruthy()
    const leadsTo = (name: string) => dialog.getByRole('link', { name }).getAttribute('href')
    expect(leadsTo('Priya Raman')).toBe('/worker/tech/access?worker=7')
    expect(leadsTo('Worker 12')).toBe('/worker/tech/access?worker=12')
    expect(router.state.location.searchStr).toContain('entry=55')
  })

  it('says that values are hidden without permission for the record', async () => {
    const hidden = { ...entry, action: 'payroll.fixed', before: null, after: null, areValuesHidden: true }
    const { user } = await open(log().answer(listAudit, { entries: [hidden], next: null }))
    await user.click(await screen.findByRole('button', { name: 'Priya Raman fixed the payroll of worker 12' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Priya Raman fixed the payroll of worker 12' }))
    expect(dialog.getByText('You do not have permission to see the values of this record.')).toBeTruthy()
    expect(dialog.queryByText('No values were recorded.')).toBeNull()
  })

  it('leaves out fields that are empty before and after', async () => {
    const change = {
      ...entry,
      action: 'partner_changed',
      before: { status: 'pilot' },
      after: { status: 'active', ended: null },
    }
    const { user } = await open(log().answer(listAudit, { entries: [change], next: null }))
    await user.click(await screen.findByRole('button', { name: 'Priya Raman changed the partner of worker 12' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Priya Raman changed the partner of worker 12' }))
    expect(dialog.getByText('active').tagName).toBe('INS')
    expect(dialog.queryByText('Ended')).toBeNull()
    expect(dialog.queryByText(/unchanged/)).toBeNull()
  })

  it('opens an older entry by its URL', async () => {
    const old = { ...entry, id: 12, action: 'worker_disabled' }
    const server = log().answer(readAuditEntry, ({ params }) =>
      params.id === 12 ? { entry: old } : new Refusal(404, 'not_found', 'This entry does not exist.'),
    )
    const { unmount } = await open(server, '?entry=12')
    const dialog = within(await screen.findByRole('dialog', { name: 'Priya Raman disabled worker 12' }))
    expect(dialog.getByText('Entry 12')).toBeTruthy()
    unmount()
    await open(server, '?entry=13')
    expect(await screen.findByText('This entry does not exist.')).toBeTruthy()
  })

  it('links to the record only for those who may open it', async () => {
    const server = log().answer(listAudit, { entries: [{ ...entry, subject: 'lead', subjectId: '897' }], next: null })
    const path = '/worker/tech/access/audit?entry=55'
    const look = (session = makeSession()) => renderScreen(<Audit />, { server, path, session })
    const { unmount } = await look()
    const link = await screen.findByRole('link', { name: 'Lead 897' })
    expect(link.getAttribute('href')).toBe('/growth/conversion?lead=897')
    unmount()
    await look(makeSession(['access.manage']))
    await screen.findByRole('dialog', { name: 'Priya Raman changed the permissions of lead 897' })
    expect(screen.queryByRole('link', { name: 'Lead 897' })).toBeNull()
  })

  it('keeps its filters in the URL and sends them to the server', async () => {
    const server = log()
    const asked: object[] = []
    server.answer(listAudit, ({ query }) => {
      asked.push(query)
      return { entries: [], next: null }
    })
    const { user, router } = await open(server, '?worker=12&from=2026-11-01')
    expect(await screen.findByText('No entries found')).toBeTruthy()
    expect(asked.at(-1)).toEqual({ worker: 12, from: '2026-11-01', limit: 50 })
    await screen.findByRole('option', { name: 'Signed in' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'signed_in')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ action: 'signed_in', worker: 12 }))
    expect(router.state.location.searchStr).toContain('action=signed_in')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'refused')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ outcome: 'refused' }))
  })

  it('exports with its filters, from any page', async () => {
    await open(log(), '?action=signed_in&before=1763139600000.55')
    const link = await screen.findByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe('/api/access/audit/export?action=signed_in')
  })

  it('searches workers for its filter on the server', async () => {
    const searched: unknown[] = []
    const server = log().answer(listWorkers, ({ query }) => {
      searched.push(query.search)
      return {
        workers: query.search === 'zo' ? [makeWorker({ id: 140, name: 'Zoe Zimmer' })] : [makeWorker()],
        pagination: paginate(1, 20, 140),
      }
    })
    const { user, router } = await open(server)
    const who = await screen.findByRole('combobox', { name: 'Who' })
    await user.click(who)
    await user.type(who, 'zo')
    await user.click(await screen.findByRole('option', { name: 'Zoe Zimmer' }))
    await waitFor(() => expect(router.state.location.searchStr).toContain('worker=140'))
    expect(searched).toContain('zo')
  })

  it('pages to older entries and back', async () => {
    const server = log()
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Older' }))
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newest' }).disabled).toBe(false))
    await user.click(screen.getByRole('button', { name: 'Newest' }))
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newest' }).disabled).toBe(true))
  })

  it('offers Retry when loading fails', async () => {
    await open(log().answer(listAudit, new Refusal(500, 'broken', 'Something broke.')))
    expect(await screen.findByText('Something broke.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  })
})

describe('the audit chain', () => {
  it('is reported as intact', async () => {
    const verdict = { isWhole: true, checked: 1234, waiting: 1, badId: null, problem: null }
    const { user } = await open(log().answer(verifyAudit, verdict))
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    expect(await screen.findByText('The chain is intact: 1,234 rows checked. 1 row is too new to check.')).toBeTruthy()
  })

  it('names the first bad row when it is broken', async () => {
    const verdict = { isWhole: false, checked: 54, waiting: 0, badId: 55, problem: 'The row was changed.' }
    const { user } = await open(log().answer(verifyAudit, verdict))
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    expect((await screen.findByRole('alert')).textContent).toContain('The first bad row is 55: The row was changed.')
  })
})

describe('a request to recover access', () => {
  const show = (server: FakeServer, session = makeSession()) =>
    renderScreen(<Recoveries />, { server, path: '/worker/tech/access/recoveries', session })

  it('is approved after a confirmation', async () => {
    const approved = makeRecovery({ state: 'approved' })
    const server = new FakeServer()
      .answer(listRecoveries, pageOf(makeRecovery()))
      .answer(approveRecovery, { recovery: approved })
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const question = await screen.findByRole('alertdialog', { name: 'Approve recovery for Dana Whitfield?' })
    expect(question.textContent).toContain('in person or by phone')
    server.answer(listRecoveries, pageOf())
    await user.click(within(question).getByRole('button', { name: 'Approve' }))
    expect(
      await screen.findByText('Recovery approved. A link is on its way to dana.whitfield@example.com.'),
    ).toBeTruthy()
    expect(await screen.findByText('No open requests')).toBeTruthy()
  })

  it('promises no email and shows no link without a mail server', async () => {
    const server = new FakeServer()
      .answer(listRecoveries, pageOf(makeRecovery()))
      .answer(approveRecovery, { recovery: makeRecovery({ state: 'approved' }) })
    const { user } = await show(server, makeSession(undefined, { hasMailServer: false }))
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('npm run limber -- mail')
    await user.click(within(question).getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText(/Recovery approved\. To see the link, run npm run limber -- mail/)).toBeTruthy()
    expect(screen.queryByText(/on its way/)).toBeNull()
  })

  it('shows that it was already decided', async () => {
    const message = 'This request was already decided or has expired.'
    const server = new FakeServer()
      .answer(listRecoveries, pageOf(makeRecovery()))
      .answer(denyRecovery, new Refusal(409, 'decided', message))
    const { user } = await show(server)
    await user.click(await screen.findByRole('button', { name: 'Deny' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Deny' }))
    expect(await screen.findByText(message)).toBeTruthy()
  })

  it('starts at the first page when another status is selected', async () => {
    const asked: object[] = []
    const server = new FakeServer().answer(listRecoveries, ({ query }) => {
      asked.push(query)
      return { recoveries: [makeRecovery()], pagination: paginate(query.page, 25, 60) }
    })
    const path = '/worker/tech/access/recoveries?page=3'
    const { user, router } = await renderScreen(<Recoveries />, { server, path })
    await screen.findByText('Dana Whitfield')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Denied')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ state: 'denied', page: 1 }))
    expect(router.state.location.searchStr).toBe('?state=denied')
  })

  it('shows how it was closed', async () => {
    const closed = makeRecovery({ state: 'closed', decidedAt: '2026-11-14T17:00:00.000Z' })
    const sibling = { ...closed, id: 32, decidedBy: 'Priya Raman' }
    await show(new FakeServer().answer(listRecoveries, pageOf(closed, sibling)))
    expect(await screen.findByText(/^recovered another way,/)).toBeTruthy()
    expect(screen.getByText(/^closed by Priya Raman,/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  it('cannot be decided by its own worker', async () => {
    await show(new FakeServer().answer(listRecoveries, pageOf(makeRecovery({ isOwn: true }))))
    expect(await screen.findByText('A colleague must decide')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })
})
