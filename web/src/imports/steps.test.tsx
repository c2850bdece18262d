import {
  applyImport,
  cancelImport,
  type ImportDetail,
  listImportRows,
  listImports,
  previewUndo,
  readImport,
  undoImport,
} from '@limber/contract/imports/import.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import ImportScreen from './import.screen.tsx'
import { makeApplied, makeChecked, makeImport, serveImport } from './imports.testing.ts'
import RunningImport from './running-import.tsx'
import { findImports } from './today.ts'

const PATH = '/worker/import/7'
const open = async (server: FakeServer, path = PATH) => {
  const view = await renderScreen(<ImportScreen />, { server, path })
  await screen.findByRole('heading', { level: 1, name: 'Import customers' })
  return view
}
const bodyOf = (server: FakeServer, call: object) => server.requests.findLast((one) => one.call === call)?.body
const tell = () => act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"imports","id":7}' }))

describe('the check', () => {
  it('opens the rejected rows with reasons, lines and values, and one row of each other result', async () => {
    await open(serveImport(makeChecked()))
    expect(await screen.findByText('Checked in 14 s. Nothing has been written.')).toBeTruthy()
    const strip = screen.getByRole('region', { name: 'Filter by result' })
    expect(within(strip).getByRole('button', { name: /Rejected/, pressed: true }).textContent).toContain('2 reasons')
    const table = await screen.findByRole('table', { name: /Rejected/ })
    expect(await within(table).findByText('tcooper97@example')).toBeTruthy()
    expect(within(table).getByText('The part after @ has no dot.')).toBeTruthy()
    const samples = (await screen.findByText('What the others look like')).closest('section') as HTMLElement
    expect(await within(samples).findByText('(951) 555-0142')).toBeTruthy()
    expect(within(samples).getByText('Same email as line 40.')).toBeTruthy()
  })

  it('filters by result and by reason', async () => {
    const server = serveImport(makeChecked())
    const { user, router } = await open(server)
    await user.click(await screen.findByRole('button', { name: /Joined is not a date/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ reason: 'Joined is not a date' }))
    expect(await screen.findByRole('table', { name: 'Joined is not a date' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Update/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ show: 'update' }))
    expect(await screen.findByRole('table', { name: /^Update/ })).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe('/api/imports/7/rows/export?state=update')
  })

  it('applies without telling people, unless the person says so and confirms', async () => {
    const server = serveImport(makeChecked()).answer(applyImport, makeChecked({ state: 'applying' }))
    const { user } = await open(server)
    expect(screen.getByText(/no email, text, webhook, or wage leaves/)).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Tell people about it' }))
    await user.click(screen.getByRole('button', { name: 'Apply 291 changes' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(bodyOf(server, applyImport)).toBeUndefined()
    await user.click(screen.getByRole('checkbox', { name: 'Tell people about it' }))
    await user.click(screen.getByRole('button', { name: 'Apply 291 changes' }))
    await waitFor(() => expect(bodyOf(server, applyImport)).toEqual({ tell_people: false }))
  })

  it("shows the server's refusal in place", async () => {
    const text = 'The plan has no row to create or update.'
    const server = serveImport(makeChecked()).answer(applyImport, new Refusal(409, 'nothing', text))
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Apply 291 changes' }))
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('goes back to the columns with [', async () => {
    const { user, router } = await open(serveImport(makeChecked()))
    await screen.findByText('Reasons')
    await user.keyboard('[[')
    await waitFor(() => expect(router.state.location.search).toEqual({ step: 'columns' }))
  })
})

describe('a running import', () => {
  it('shows progress that follows live messages, until it is done', async () => {
    let one: ImportDetail = makeChecked({ state: 'applying', progress: { done: 61, total: 291 } })
    const server = serveImport(one).answer(readImport, () => one)
    await open(server)
    expect(await screen.findByText('61 of 291 rows applied')).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'Applying' }).getAttribute('aria-valuenow')).toBe('20')
    one = makeApplied()
    tell()
    expect(await screen.findByText('290 of 291 changes were applied.')).toBeTruthy()
  })

  it('can be canceled', async () => {
    let one: ImportDetail = makeChecked({ state: 'applying', progress: { done: 61, total: 291 } })
    const counts = { ...makeChecked().counts, created: 61 }
    const server = serveImport(one).answer(readImport, () => one)
    server.answer(cancelImport, () => {
      one = makeApplied({ state: 'canceled', counts })
      return one
    })
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Cancel import' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Cancel import' }))
    expect(await screen.findByText(/Canceled. 61 of 291 changes were applied./)).toBeTruthy()
  })

  it('stays in the top bar, and leaves when it is done', async () => {
    let imports = [makeImport({ state: 'applying', progress: { done: 62, total: 100 } })]
    const server = new FakeServer().answer(listImports, () => ({ imports, pagination: paginate(1, 10, 1) }))
    await renderScreen(<RunningImport />, { server })
    const link = await screen.findByRole('link', { name: 'Import customers: applying, 62%' })
    expect(link.getAttribute('href')).toBe(PATH)
    imports = [makeApplied()]
    tell()
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull())
  })

  it('is listed on Today, like one that failed', async () => {
    const failed = makeImport({ id: 8, state: 'failed', error: 'Storage is full.' })
    const imports = [makeImport({ state: 'checking', progress: { done: 1, total: 4 } }), failed, makeApplied()]
    const server = new FakeServer().answer(listImports, { imports, pagination: paginate(1, 10, 3) })
    server.install()
    const items = await findImports(new AbortController().signal)
    expect(items.map(({ title, detail, path }) => [title, detail, path])).toEqual([
      ['Import customers: checking', 'clients.csv, 25%', PATH],
      ['Import customers: failed', 'clients.csv: Storage is full.', '/worker/import/8'],
    ])
  })
})

describe('the result', () => {
  it('names the rows that changed since the check and offers the rejected ones', async () => {
    await open(serveImport(makeApplied()))
    expect(await screen.findByText('290 of 291 changes were applied.')).toBeTruthy()
    const table = await screen.findByRole('table', { name: 'Changed since the check' })
    expect(await within(table).findByRole('link', { name: 'Hye-jin Park' })).toBeTruthy()
    expect(within(table).getByText('Kenji Morales changed the phone.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/api/imports/7/rejected')
    expect(screen.getByText(/Fix the 2 rejected rows/)).toBeTruthy()
  })

  it('is undone after a confirmation that says what happens', async () => {
    let one: ImportDetail = makeApplied()
    const server = serveImport(one).answer(readImport, () => one)
    server.answer(previewUndo, { removed: 280, restored: 2, kept: 8 })
    server.answer(undoImport, () => {
      one = makeApplied({ state: 'undoing', progress: { done: 0, total: 290 } })
      return one
    })
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Undo…' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain(
      'This removes 280 customers and restores 2 customers. 8 customers changed since and stay.',
    )
    await user.click(within(question).getByRole('button', { name: 'Undo import' }))
    expect(await screen.findByText('0 of 290 rows undone')).toBeTruthy()
  })

  it('names the rows that an undo kept', async () => {
    const counts = { ...makeApplied().counts, undone: 289, kept: 1, changed_since: 0 }
    const server = serveImport(makeApplied({ state: 'undone', undo_until: null, counts }))
    await open(server)
    expect(await screen.findByText(/1 customer changed after the import, so it was kept/)).toBeTruthy()
    expect(await screen.findByRole('table', { name: /Kept/ })).toBeTruthy()
    const asked = server.requests.filter(({ call }) => call === listImportRows)
    expect(asked.length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Undo…' })).toBeNull()
  })

  it('can be continued when it was canceled', async () => {
    const counts = { ...makeChecked().counts, created: 61 }
    const server = serveImport(makeApplied({ state: 'canceled', counts }))
    server.answer(applyImport, makeChecked({ state: 'applying' }))
    const { user } = await open(server)
    expect(await screen.findByText('Apply the other 230 changes')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(bodyOf(server, applyImport)).toEqual({ tell_people: false }))
  })
})

it('says when an import does not exist', async () => {
  const server = new FakeServer().answer(readImport, new Refusal(404, 'not_found', 'This import does not exist.'))
  await renderScreen(<ImportScreen />, { server, path: PATH })
  expect(await screen.findByText('This import does not exist.')).toBeTruthy()
})
