// @module-tag slow
import { createBlock, deleteBlock, listBlocks, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import {
  archiveBusiness,
  createBusiness,
  deleteBusiness,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Businesses from './businesses.screen.tsx'
import { makeBlock, makeBusiness, makeSession, serveCompany } from './businesses.testing.ts'

const PATH = '/worker/managing/businesses'
const open = (server: FakeServer, search = '') => renderScreen(<Businesses />, { server, path: `${PATH}${search}` })
const fill = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const heading = (name: string) => screen.findByRole('heading', { name, level: 2 })
const card = (name: string) => screen.findByRole('region', { name })
const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body

describe('business list', () => {
  it('shows the available hours, and keeps the search in the URL', async () => {
    const server = serveCompany({ businesses: [makeBusiness(), makeBusiness({ id: 2, name: 'Citrus Belt' })] })
    const { user, router } = await open(server)
    expect(await screen.findByText('Citrus Belt')).toBeTruthy()
    expect(await screen.findByText('2 businesses, 16 prepaid hours still available.')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Search businesses' }), 'mission')
    await waitFor(() => expect(screen.queryByText('Citrus Belt')).toBeNull())
    await waitFor(() => expect(router.state.location.searchStr).toContain('q=mission'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Archived')
    expect(await screen.findByText('No businesses found')).toBeTruthy()
  })

  it('shows that it is loading, and an error in its place', async () => {
    const server = serveCompany()
    server.isDown = true
    await open(server)
    expect(await screen.findByText("Couldn't load businesses")).toBeTruthy()
    server.isDown = false
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Mission Inn Hospitality')).toBeTruthy()
  })

  it("adds a business and opens it; shows errors with the server's text", async () => {
    const added = makeBusiness({ id: 9, name: 'Norco Saddle' })
    const server = serveCompany()
    const { user, router } = await open(server)
    expect(screen.queryByLabelText('Custom path')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'New business' }))
    fill(await screen.findByLabelText('Name'), 'Norco Saddle')
    fill(screen.getByLabelText('Custom path'), 'norco')
    fill(screen.getByLabelText('Admin email'), 'boss@example.com')
    expect(await screen.findByRole('option', { name: 'Select zone…' })).toBeTruthy()
    server.answer(createBusiness, new Refusal(409, 'path_taken', 'Another business has this custom path.'))
    await user.selectOptions(await screen.findByLabelText('Zone'), 'Riverside')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Another business has this custom path.')).toBeTruthy()
    server.answer(createBusiness, added).answer(readBusiness, added)
    fill(screen.getByLabelText('Custom path'), 'norco-saddle')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await heading('Norco Saddle')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(bodyOf(server, createBusiness)).toEqual({
      name: 'Norco Saddle',
      custom_path: 'norco-saddle',
      admin_email: 'boss@example.com',
      zone_id: 3,
    })
    expect(router.state.location.searchStr).toContain('business=9')
  })

  it('sends a new business as typed and leaves validation of the zone to the server', async () => {
    const server = serveCompany().answer(createBusiness, makeBusiness())
    const { user } = await open(server, '?do=new')
    fill(await screen.findByLabelText('Name'), 'Norco Saddle')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(server.callCount(createBusiness)).toBeGreaterThan(0))
    expect(bodyOf(server, createBusiness)).toEqual({ name: 'Norco Saddle', custom_path: '', admin_email: '' })
  })
})

describe('a business', () => {
  it('is saved with the version that was loaded', async () => {
    const server = serveCompany().answer(updateBusiness, makeBusiness({ name: 'Mission Inn', version: 5 }))
    const { user } = await open(server, '?business=1')
    const details = within(await card('Details'))
    fill(details.getByLabelText('Name'), 'Mission Inn')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateBusiness)).toMatchObject({ id: 1, name: 'Mission Inn', version: 4 })
  })

  it('shows both versions when someone else saved first, and overwrites theirs on request', async () => {
    const current = makeBusiness({ admin_email: 'theirs@example.com', version: 9 })
    const server = serveCompany().answer(
      updateBusiness,
      new Refusal(409, 'stale', 'Someone else changed it.', { current }),
    )
    const { user } = await open(server, '?business=1')
    fill(within(await card('Details')).getByLabelText('Name'), 'Mine')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const both = within(await screen.findByRole('dialog', { name: 'Someone else changed this business' }))
    expect(both.getByText('Mine')).toBeTruthy()
    expect(both.getAllByText('theirs@example.com')).toHaveLength(2)
    server.answer(updateBusiness, makeBusiness({ name: 'Mine', version: 10 }))
    await user.click(both.getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateBusiness)).toMatchObject({
      name: 'Mine',
      admin_email: 'theirs@example.com',
      version: 9,
    })
  })

  it('keeps typed values when others save', async () => {
    const server = serveCompany()
    await open(server, '?business=1')
    const details = within(await card('Details'))
    fill(details.getByLabelText('Name'), 'Half typed')
    server.answer(readBusiness, makeBusiness({ name: 'By others', version: 8 }))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"businesses","business":1}' }))
    expect(await heading('By others')).toBeTruthy()
    expect(details.getByLabelText<HTMLInputElement>('Name').value).toBe('Half typed')
  })

  it('asks before leaving unsaved changes', async () => {
    const server = serveCompany({ businesses: [makeBusiness(), makeBusiness({ id: 2, name: 'Citrus Belt' })] })
    const { user } = await open(server, '?business=1')
    const details = within(await card('Details'))
    fill(details.getByLabelText('Name'), 'Half typed')
    fill(within(await card('Prepaid blocks')).getByLabelText('Internal label'), 'Kitchen')
    await user.click(await screen.findByRole('link', { name: /Citrus Belt/ }))
    const answer = async (verb: string) =>
      user.click(
        within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).getByRole('button', {
          name: verb,
        }),
      )
    await answer('Stay')
    expect(details.getByLabelText<HTMLInputElement>('Name').value).toBe('Half typed')
    await user.click(screen.getByRole('link', { name: /Citrus Belt/ }))
    await answer('Leave')
    expect(await heading('Citrus Belt')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('can be restored with Undo after archiving', async () => {
    const archived = makeBusiness({ archived_at: '2026-11-16T17:00:00.000Z', version: 5 })
    const server = serveCompany()
      .answer(archiveBusiness, archived)
      .answer(restoreBusiness, makeBusiness({ version: 6 }))
    const { user } = await open(server, '?business=1')
    await user.click(await screen.findByRole('button', { name: 'Archive' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Mission Inn Hospitality restored.')).toBeTruthy()
    expect(bodyOf(server, restoreBusiness)).toEqual({ id: 1, version: 5 })
  })

  it('keeps typed values when archived and restored, and saves them afterwards', async () => {
    const server = serveCompany()
      .answer(archiveBusiness, makeBusiness({ archived_at: '2026-11-16T17:00:00.000Z', version: 5 }))
      .answer(restoreBusiness, makeBusiness({ version: 6 }))
      .answer(updateBusiness, makeBusiness({ name: 'Half typed', version: 7 }))
    const { user } = await open(server, '?business=1')
    const details = within(await card('Details'))
    fill(details.getByLabelText('Name'), 'Half typed')
    await user.click(screen.getByRole('button', { name: 'Archive' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Mission Inn Hospitality restored.')).toBeTruthy()
    expect(details.getByLabelText<HTMLInputElement>('Name').value).toBe('Half typed')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateBusiness)).toMatchObject({ name: 'Half typed', version: 6 })
  })

  it('does not lose a change that someone else made before it was archived', async () => {
    const server = serveCompany()
      .answer(archiveBusiness, makeBusiness({ archived_at: '2026-11-16T17:00:00.000Z', version: 9 }))
      .answer(updateBusiness, makeBusiness({ version: 10 }))
    const { user } = await open(server, '?business=1')
    fill(within(await card('Details')).getByLabelText('Name'), 'Half typed')
    server.answer(readBusiness, makeBusiness({ name: 'By others', version: 8 }))
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"businesses","business":1}' }))
    expect(await heading('By others')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('By others archived.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    // The version that was seen: the server refuses it and both are shown.
    expect(bodyOf(server, updateBusiness)).toMatchObject({ version: 4 })
  })

  it('is deleted after the specified confirmation; one with sessions can be archived from the refusal', async () => {
    const words = 'This business has 2 upcoming sessions. It cannot be deleted; archive it instead.'
    const server = serveCompany()
      .answer(deleteBusiness, new Refusal(409, 'has_sessions', words))
      .answer(archiveBusiness, makeBusiness({ archived_at: '2026-11-16T17:00:00.000Z', version: 5 }))
    const { user } = await open(server, '?business=1')
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete this business?' }))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(words)).toBeTruthy()
    const toasts = screen.getByText(words).closest('[role="alert"]') as HTMLElement
    await user.click(within(toasts).getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('Mission Inn Hospitality archived.')).toBeTruthy()
  })

  it('shows its balance and its ledger', async () => {
    const { user } = await open(serveCompany(), '?business=1')
    expect(await screen.findByText(/12 h delivered/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Ledger' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Prepaid hours' }))
    expect(dialog.getByText(/Fill rate 75%: 27 of 36 slots/)).toBeTruthy()
    expect(dialog.getByText(/Fire drill/)).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/businesses/1/ledger/export',
    )
  })
})

describe('prepaid blocks', () => {
  it('can be scheduled when unused, and show their session when used', async () => {
    const blocks = [
      makeBlock(),
      makeBlock({ id: 11, internal_label: 'Wellness day', is_used: 1, state: 'scheduled', session: makeSession() }),
      makeBlock({ id: 12, internal_label: 'Old', state: 'expired', expires_on: '2026-11-01' }),
    ]
    await open(serveCompany({ blocks }), '?business=1')
    const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
    expect((await row(/Front desk/)).getByRole('button', { name: 'Activate / schedule' })).toBeTruthy()
    const used = await row(/Wellness day/)
    expect(used.getByRole('button', { name: 'View Session' })).toBeTruthy()
    expect(used.getByText('Tue, Nov 18, 2036, 9:00 AM – 1:00 PM')).toBeTruthy()
    expect(used.getByRole('link', { name: 'Renata Solis' }).getAttribute('href')).toMatch(/stretchers\?stretcher=\d+$/)
    const old = (await row(/Old/)).getByRole<HTMLButtonElement>('button', { name: 'Activate / schedule' })
    expect(old.disabled).toBe(true)
  })

  it('are shown in pages, and the page is in the URL', async () => {
    const server = serveCompany().answer(listBlocks, ({ body: { page, limit } }) => ({
      blocks: [makeBlock({ id: page, internal_label: `Of page ${page}` })],
      pagination: paginate(page, limit, 120),
    }))
    const { user, router } = await open(server, '?business=1')
    expect(await screen.findByText('Of page 1')).toBeTruthy()
    const pages = within(screen.getByRole('navigation', { name: 'Pages of blocks' }))
    await user.click(pages.getByRole('button', { name: 'Next page' }))
    expect(await screen.findByText('Of page 2')).toBeTruthy()
    expect(router.state.location.searchStr).toContain('blocks=2')
  })

  it('are created with two hours and 15-minute slots by default', async () => {
    const server = serveCompany().answer(createBlock, makeBlock())
    const { user } = await open(server, '?business=1')
    const blocks = within(await card('Prepaid blocks'))
    expect(blocks.getByLabelText<HTMLSelectElement>('Block hours').value).toBe('2')
    expect([...blocks.getByLabelText<HTMLSelectElement>('Block hours').options].map(({ value }) => value)).toEqual([
      '2',
      '3',
      '4',
    ])
    expect([...blocks.getByLabelText<HTMLSelectElement>('Slot minutes').options].map(({ value }) => value)).toEqual([
      '10',
      '15',
      '20',
    ])
    await user.selectOptions(blocks.getByLabelText('Block hours'), '3')
    fill(blocks.getByLabelText('Internal label'), 'Kitchen')
    await user.click(blocks.getByRole('button', { name: 'Create Block' }))
    expect(await screen.findByText('Block created.')).toBeTruthy()
    expect(bodyOf(server, createBlock)).toMatchObject({
      business_id: 1,
      block_hours: 3,
      slot_length_minutes: 15,
      internal_label: 'Kitchen',
    })
  })

  it('can get another label and last day; the second of two editors resolves the conflict', async () => {
    const block = makeBlock({ expires_on: '2036-11-30' })
    const current = makeBlock({ internal_label: 'Theirs', expires_on: '2036-11-30', version: 5 })
    const server = serveCompany({ blocks: [block] }).answer(
      updateBlock,
      new Refusal(409, 'stale', 'Someone else changed this block. Reload and try again.', { current }),
    )
    const { user } = await open(server, '?business=1')
    await user.click(await screen.findByRole('button', { name: 'Edit block Front desk' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit block' }))
    expect(dialog.getByLabelText<HTMLInputElement>('Internal label').value).toBe('Front desk')
    fill(dialog.getByLabelText('Last day (optional)'), '')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(bodyOf(server, updateBlock)).toEqual({
      block_id: 10,
      internal_label: 'Front desk',
      expires_on: null,
      version: 1,
    })
    const both = within(await screen.findByRole('dialog', { name: 'Someone else changed this block' }))
    server.answer(updateBlock, makeBlock({ version: 6 }))
    await user.click(both.getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateBlock)).toMatchObject({ internal_label: 'Theirs', expires_on: null, version: 5 })
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit block' })).toBeNull())
  })

  it('are deleted after a confirmation; the refusal names the session that uses one', async () => {
    const words = 'This block is used by the session on Wed, Nov 18, 2026, 9:00 AM.'
    const server = serveCompany({ blocks: [makeBlock()] }).answer(deleteBlock, new Refusal(409, 'used', words))
    const { user } = await open(server, '?business=1')
    await user.click(await screen.findByRole('button', { name: 'Delete block Front desk' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete this block?' }))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(words)).toBeTruthy()
  })
})
