import { listImports, readImport, uploadImport } from '@limber/contract/imports/import.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { ImportHome } from './import-home.tsx'
import { makeApplied, makeImport } from './imports.testing.ts'

const PATH = '/worker/import'
const file = (name = 'clients.csv') => new File(['ClientID,Email\n1,a@example.com\n'], name, { type: 'text/csv' })

describe('the upload', () => {
  it('sends the chosen kind and file, and opens the import', async () => {
    const server = new FakeServer()
      .answer(uploadImport, makeImport({ id: 9 }))
      .answer(readImport, makeImport({ id: 9 }))
    const { user, router } = await renderScreen(<ImportHome />, { server, path: PATH })
    await user.click(screen.getByRole('radio', { name: 'Leads' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Import leads' })).toBeTruthy()
    expect(screen.getByText(/Exports of HubSpot contacts and Mailchimp audience/)).toBeTruthy()
    await user.upload(screen.getByLabelText('CSV file'), file())
    await waitFor(() => expect(router.state.location.pathname).toBe('/worker/import/9'))
    const form = server.requests.at(-1)?.body as FormData
    expect(form.get('resource')).toBe('leads')
    expect((form.get('file') as File).name).toBe('clients.csv')
  })

  it('takes a dropped file, and shows what is wrong with it in place', async () => {
    const text = 'Line 4,120: a quote is never closed.'
    const server = new FakeServer().answer(uploadImport, new Refusal(422, 'unreadable', text))
    await renderScreen(<ImportHome />, { server, path: PATH })
    fireEvent.drop(screen.getByRole('region', { name: 'Drop area' }), { dataTransfer: { files: [file()] } })
    expect(await screen.findByText(text)).toBeTruthy()
    // It can be tried again at once.
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose file' }).disabled).toBe(false)
  })

  it('refuses several files before anything is sent', async () => {
    const { server } = await renderScreen(<ImportHome />, { path: PATH })
    const drop = screen.getByRole('region', { name: 'Drop area' })
    fireEvent.drop(drop, { dataTransfer: { files: [file('a.csv'), file('b.csv')] } })
    expect(await screen.findByText('Upload one file at a time.')).toBeTruthy()
    expect(server.requests.filter(({ call }) => call === uploadImport)).toEqual([])
  })

  it('offers the records of this company as a file, for people who may see all of them', async () => {
    const { user } = await renderScreen(<ImportHome />, { path: PATH })
    await user.click(screen.getByRole('radio', { name: 'Payroll history' }))
    const link = await screen.findByRole('link', { name: 'Download all payroll entries' })
    expect(link.getAttribute('href')).toBe('/api/import-files?resource=payroll%2Fhistory')
  })

  it('offers only what the worker may import', async () => {
    await renderScreen(<ImportHome />, { path: PATH, session: makeSession(['worker.tab', 'leads.create']) })
    expect(screen.queryByRole('link', { name: /Download all/ })).toBeNull()
    expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(['leads'])
  })
})

describe('past imports', () => {
  const past = `${PATH}?view=past`

  it('lists them with their state, and opens one', async () => {
    const imports = [makeImport({ id: 8, state: 'applying', progress: { done: 30, total: 60 } }), makeApplied()]
    const server = new FakeServer().answer(listImports, { imports, pagination: paginate(1, 25, 2) })
    const { user, router } = await renderScreen(<ImportHome />, { server, path: past })
    const table = await screen.findByRole('table', { name: 'Past imports' })
    expect(await within(table).findByText('Applying 50%')).toBeTruthy()
    expect(within(table).getByText('Applied')).toBeTruthy()
    await user.click(within(table).getAllByText('clients.csv')[1] as HTMLElement)
    await waitFor(() => expect(router.state.location.pathname).toBe('/worker/import/7'))
  })

  it('says what will appear when there are none', async () => {
    const server = new FakeServer().answer(listImports, { imports: [], pagination: paginate(1, 25, 0) })
    await renderScreen(<ImportHome />, { server, path: past })
    expect(await screen.findByText('No imports yet')).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'New import' })).toHaveLength(2)
  })
})
