// @module-tag slow
import { paginate } from '@limber/contract/kit/page.ts'
import { type LeadDetail, listLeads, readLead } from '@limber/contract/marketing/leads/lead.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Leads from './leads.screen.tsx'
import { fakeLeads, makeLead } from './leads.testing.ts'

const stats = { new: 4, contacted: 4, converted: 3, not_interested: 2 }
const summaryOf = ({ id, status, source, createdAt }: LeadDetail, name: string) => ({
  ...{ id, name, status, source, createdAt },
  why: 'same phone' as const,
})

const open = makeLead({ version: 3, phone: '+19515550100' })
const other = makeLead({
  ...{ id: 40, first_name: 'R.', email: 'r.vega@example.net', phone: '+19515550100', version: 5 },
  ...{ source: 'website', status: 'contacted', createdAt: '2026-10-01T19:00:00.000Z' },
  assignee: { id: 9, name: 'Devon Okoye' },
})

/** Two leads of one person, and a fake server that merges them. */
async function openTwo() {
  const leads = new Map([
    [12, { ...open, duplicates: [summaryOf(other, 'R. Vega')] }],
    [40, { ...other, duplicates: [summaryOf(open, 'Robin Vega')] }],
  ])
  const sent: object[] = []
  const { server } = fakeLeads()
  server
    .answer(readLead, ({ body }) => {
      const lead = leads.get(Number(body.leadId))
      if (!lead) throw new Error('no such lead')
      return { lead }
    })
    .answer(mergeLeads, ({ params, body }) => {
      sent.push({ kept: params.id, ...body })
      const kept = leads.get(Number(params.id))
      if (!kept) throw new Error('no such lead')
      const lead = { ...kept, status: 'contacted' as const, version: kept.version + 1, duplicates: [] }
      leads.set(kept.id, lead).set(body.duplicateId, lead)
      return { lead, stats, moved: { notes: 0, steps: 1, answers: 0 } }
    })
  const shown = await renderScreen(<Leads />, { server, path: '/growth/conversion?lead=12' })
  await screen.findByRole('heading', { name: /Robin Vega/ })
  return { ...shown, server, sent }
}

const button = (name: string) => screen.getByRole('button', { name })

async function chooseOther(
  user: { click: Click; type: (element: Element, text: string) => Promise<void> },
  words = '',
) {
  const field = await screen.findByRole('combobox', { name: 'Other lead' })
  await user.click(field)
  if (words) await user.type(field, words)
  await user.click(await screen.findByRole('option', { name: /lead 40$/ }))
}
type Click = (element: Element) => Promise<void>

async function openDialog() {
  const shown = await openTwo()
  await shown.user.click(screen.getByRole('button', { name: 'Merge… R. Vega, lead 40' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two leads' }))
  await dialog.findByRole('table', { name: 'Both leads' })
  return { ...shown, dialog }
}

describe('merging two leads', () => {
  it('shows both leads side by side, with the result', async () => {
    const { dialog, user } = await openDialog()
    const row = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name}`) }).textContent
    expect(row('Name')).toBe('NameRobin VegaR. VegaRobin Vega')
    expect(row('Email')).toBe('Emailrobin.vega@example.comr.vega@example.netrobin.vega@example.com')
    expect(row('Source')).toBe('SourceFacebook lead adWebsiteWebsite')
    expect(row('Status')).toBe('StatusNewContactedContacted')
    expect(row('Assigned to')).toBe('Assigned toUnassignedDevon OkoyeDevon Okoye')
    expect(row('Created')).toMatch(/Oct 1(, 2026)?$/)
    expect(row('Notes')).toBe('Notes000')
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Keep lead 12' }).checked).toBe(true)
    expect(dialog.getByRole('status').textContent).toMatch(
      /^Lead 12 is kept\. .*steps of lead 40 move to it.*New leads with r\.vega@example\.net are still/,
    )
    await user.click(dialog.getByRole('radio', { name: 'Keep lead 40' }))
    expect(dialog.getByRole('status').textContent).toMatch(
      /^Lead 40 is kept\. .*New leads with robin\.vega@example\.com are still/,
    )
    expect(row('Name')).toBe('NameRobin VegaR. VegaR. Vega')
    expect(row('Status')).toBe('StatusNewContactedContacted')
  })

  it('keeps the open lead, sends both loaded versions, and shows a toast', async () => {
    const shown = await openDialog()
    await shown.user.click(shown.dialog.getByRole('button', { name: 'Merge' }))
    expect(await screen.findByText('Lead 40 is now part of Robin Vega.')).toBeTruthy()
    expect(shown.sent).toEqual([{ kept: 12, duplicateId: 40, version: 3, duplicateVersion: 5 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(shown.router.state.location.search).toEqual({ lead: '12' })
    expect(screen.queryByText('Another lead may be the same person:')).toBeNull()
    await waitFor(() => expect(shown.server.callCount(listLeads)).toBe(2))
  })

  it('opens the other lead when that one is kept', async () => {
    const shown = await openDialog()
    await shown.user.click(shown.dialog.getByRole('radio', { name: 'Keep lead 40' }))
    await shown.user.click(shown.dialog.getByRole('button', { name: 'Merge' }))
    await waitFor(() => expect(shown.router.state.location.search).toEqual({ lead: '40' }))
    expect(await screen.findByRole('heading', { name: /R\. Vega/ })).toBeTruthy()
    expect(screen.getAllByText('Lead 12 is now part of R. Vega.')).toHaveLength(1)
    expect(shown.sent).toEqual([{ kept: 40, duplicateId: 12, version: 5, duplicateVersion: 3 }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('stays open with the error of the server after a refusal', async () => {
    const { server, user, dialog } = await openDialog()
    const words = 'These leads belong to two customers, number 3 and number 4. Merge the customers first.'
    server.answer(mergeLeads, new Refusal(409, 'two_customers', words))
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    expect((await dialog.findByRole('alert')).textContent).toContain(words)
    expect(dialog.getByRole('radio', { name: 'Keep lead 12' })).toBeTruthy()
  })

  it('warns up front if the leads belong to two customers', async () => {
    const { server, user } = await openTwo()
    const customer = (id: number) => ({ customer: { id, name: 'Robin Vega' } })
    server
      .answer(readLead, ({ body }) => ({
        lead: Number(body.leadId) === 40 ? { ...other, ...customer(4) } : { ...open, ...customer(3) },
      }))
      .answer(listLeads, { leads: [other], stats, pagination: paginate(1, 10, 1) })
    await user.click(button('Refresh'))
    await waitFor(() => expect(screen.queryByText('Another lead may be the same person:')).toBeNull())
    await user.click(button('Merge…'))
    await chooseOther(user)
    expect(await screen.findByText(/These leads belong to two customers/)).toBeTruthy()
  })

  it('finds the other lead by search if it is not listed as a duplicate', async () => {
    const shown = await openTwo()
    const { server, user, sent } = shown
    const asked: string[] = []
    server.answer(listLeads, ({ query }) => {
      asked.push(query.search)
      const leads = [open, other].filter((lead) => query.search && lead.email?.includes(query.search))
      return { leads, stats, pagination: paginate(1, 10, leads.length) }
    })
    await user.click(button('Merge…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge two leads' }))
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    expect(sent).toEqual([])
    await chooseOther(user, 'example.net')
    expect(asked).toContain('example.net')
    // A lead cannot be merged with itself.
    expect(screen.queryByRole('option', { name: /lead 12/ })).toBeNull()
    await dialog.findByRole('table', { name: 'Both leads' })
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    expect(await screen.findByText('Lead 40 is now part of Robin Vega.')).toBeTruthy()
    expect(sent).toEqual([{ kept: 12, duplicateId: 40, version: 3, duplicateVersion: 5 }])
  })

  it('does not merge if the other lead failed to load', async () => {
    const { server, user } = await openTwo()
    server.answer(readLead, new Refusal(503, 'unavailable', 'The database is unavailable.'))
    await user.click(screen.getByRole('button', { name: /^Merge… R\. Vega/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge two leads' }))
    expect(await dialog.findByText("Couldn't load the other lead", {}, { timeout: 6_000 })).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    expect(server.callCount(mergeLeads)).toBe(0)
  })
})

describe('a merged lead', () => {
  it('redirects to the lead it was merged into, with one toast', async () => {
    const kept = makeLead({ id: 40, first_name: 'Kay' })
    const { server } = fakeLeads(kept)
    const { router } = await renderScreen(<Leads />, { server, path: '/growth/conversion?status=new&lead=12' })
    expect(await screen.findByText('Lead 12 is now part of Kay Vega.')).toBeTruthy()
    expect(router.state.location.search).toEqual({ status: 'new', lead: '40' })
    expect(await screen.findByRole('heading', { name: /Kay Vega/ })).toBeTruthy()
  })

  it('is listed on the kept lead, with a step that ended by the merge', async () => {
    const merged = {
      ...{ id: 40, name: 'R. Vega', email: 'r.vega@example.net', phone: null, source: 'website' as const },
      ...{ createdAt: '2026-10-01T19:00:00.000Z', mergedAt: '2026-11-09T19:00:00.000Z', worker: 'Devon Okoye' },
    }
    const step = { status: 'new' as const, enteredAt: '2026-10-01T19:00:00.000Z', worker: null, reason: null }
    const steps = [{ ...step, id: 9, leftAt: '2026-11-09T19:00:00.000Z', endedByMerge: true }, ...makeLead().steps]
    const { server } = fakeLeads(makeLead({ merged: [merged], steps }))
    await renderScreen(<Leads />, { server, path: '/growth/conversion?lead=12' })
    const facts = await screen.findByRole('region', { name: 'Lead' })
    expect(facts.textContent).toMatch(
      /MergedLead 40, Website, Oct 1(, 2026)?, r\.vega@example\.net; merged by Devon Okoye on Nov 9/,
    )
    const list = within(screen.getByRole('region', { name: 'Steps' })).getAllByRole('listitem')
    expect(list.map(({ textContent }) => textContent?.includes('ended by merge'))).toEqual([false, true])
  })
})
