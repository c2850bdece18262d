import { checkImport, readImportColumns } from '@limber/contract/imports/import.ts'
import { saveImportMap } from '@limber/contract/imports/import-map.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import ImportScreen from '../import.screen.tsx'
import { makeChecked, makeColumn, makeColumns, makeImport, serveImport } from '../imports.testing.ts'
import { readAs } from './column-questions.ts'

const PATH = '/worker/import/7'
const open = async (server: FakeServer, path = PATH) => {
  const view = await renderScreen(<ImportScreen />, { server, path })
  await screen.findByRole('heading', { level: 1, name: 'Import customers' })
  return view
}
const primary = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Check 300 rows' })
const bodyOf = (server: FakeServer) =>
  server.requests.findLast(({ call }) => call === checkImport)?.body as Record<string, unknown>

describe('matching columns', () => {
  it('shows values, the share that is filled, the guess and its reason, and sends the choices', async () => {
    const server = serveImport(makeImport()).answer(checkImport, makeChecked({ state: 'checking' }))
    const { user } = await open(server)
    expect(await screen.findByText('2 of 3 columns are matched.')).toBeTruthy()
    const row = screen.getByRole('row', { name: /^Email/ })
    expect(within(row).getByText('maria@example.com')).toBeTruthy()
    expect(within(row).getByText('94%')).toBeTruthy()
    expect(within(row).getByText('From the map')).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Custom 3 goes to' }), 'Value tier')
    await user.clear(screen.getByRole('textbox', { name: 'Source of the IDs' }))
    await user.type(screen.getByRole('textbox', { name: 'Source of the IDs' }), 'mindbody')
    await user.click(primary())
    await waitFor(() =>
      expect(bodyOf(server)).toEqual({
        columns: { ClientID: 'external_id', Email: 'email', 'Custom 3': 'value_tier' },
        dates: 'mdy',
        source: 'mindbody',
      }),
    )
  })

  it('asks how dates are meant, with the two readings', async () => {
    const dates = { iso: 38, numeric: 61, named: 0, example: '03/04/2025', order: 'unclear' as const }
    const columns = [makeColumn('Email', 'email'), makeColumn('Since', 'joined_at', { dates })]
    const server = serveImport(makeImport(), makeColumns({ columns, map: null, dates: null })).answer(
      checkImport,
      makeChecked({ state: 'checking' }),
    )
    const { user } = await open(server)
    const question = await screen.findByRole('group', { name: 'Dates of Since' })
    expect(question.textContent).toContain('61 rows look like 03/04/2025 and 38 rows like 2025-03-19')
    expect(primary().disabled).toBe(true)
    await user.click(within(question).getByRole('radio', { name: 'Apr 3, 2025' }))
    expect(primary().disabled).toBe(false)
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(bodyOf(server).dates).toBe('dmy'))
  })

  it('asks when two columns go to one field, and only shows open questions on request', async () => {
    const { user } = await open(serveImport(makeImport()))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Custom 3 goes to' }), 'Email')
    expect(primary().disabled).toBe(true)
    expect(screen.getAllByText('Needs an answer')).toHaveLength(2)
    await user.click(screen.getByRole('switch', { name: 'Only open questions' }))
    expect(screen.queryByRole('combobox', { name: 'ClientID goes to' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Use Email' }))
    expect(screen.getByText('All questions are answered.')).toBeTruthy()
    expect(primary().disabled).toBe(false)
  })

  it("shows the server's refusal in place", async () => {
    const text = 'Two columns go to Email.'
    const server = serveImport(makeImport()).answer(checkImport, new Refusal(422, 'bad_columns', text))
    const { user } = await open(server)
    await screen.findByText('2 of 3 columns are matched.')
    await user.click(primary())
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('begins with the choices of the last check', async () => {
    await open(serveImport(makeChecked({ columns: { Email: 'email' } })), `${PATH}?step=columns`)
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'ClientID goes to' })
    expect(select.value).toBe('')
  })

  it('saves the choices as a map', async () => {
    const server = serveImport(makeImport()).answer(saveImportMap, ({ body }) => ({
      id: 5,
      ...body,
      dates: body.dates ?? null,
      saved_by: 'Priya Raman',
      saved_at: '2026-11-17T18:00:00.000Z',
    }))
    const { user } = await open(server)
    await user.click(await screen.findByRole('button', { name: 'Save as map' }))
    const dialog = await screen.findByRole('dialog', { name: 'Save as map' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Our list')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(server.requests.findLast(({ call }) => call === saveImportMap)?.body).toEqual({
        resource: 'customers',
        name: 'Our list',
        columns: { ClientID: 'external_id', Email: 'email' },
        dates: 'mdy',
      }),
    )
  })
})

describe('choosing a map', () => {
  it('offers the maps with what they match, and matches by the chosen one', async () => {
    const server = serveImport(makeImport())
    server.answer(readImportColumns, ({ query }) =>
      query.map === 'none' ? makeColumns({ map: null, columns: [makeColumn('Email', null)] }) : makeColumns(),
    )
    const { user } = await open(server, `${PATH}?step=upload`)
    const maps = await screen.findByRole('group', { name: 'Column map' })
    expect(within(maps).getByText('Matches this file: 2 of 3 columns')).toBeTruthy()
    await user.click(within(maps).getByRole('radio', { name: /No map, guess/ }))
    await user.click(screen.getByRole('button', { name: 'Match columns' }))
    expect(await screen.findByText('0 of 1 column are matched.')).toBeTruthy()
    expect(primary().disabled).toBe(true)
  })

  it('warns when the same file was imported before', async () => {
    const same_file = { id: 3, state: 'applied' as const, created_at: '2026-11-16T18:00:00.000Z' }
    await open(serveImport(makeImport({ same_file })), `${PATH}?step=upload`)
    expect(await screen.findByText(/The same file was imported on/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open it' }).getAttribute('href')).toBe('/worker/import/3')
  })
})

describe('a date in two readings', () => {
  it.each([
    ['03/04/2025', 'mdy', 'Mar 4, 2025'],
    ['3.4.2025', 'dmy', 'Apr 3, 2025'],
    ['', 'dmy', 'Day first'],
  ] as const)('%s as %s', (text, order, expected) => expect(readAs(text, order)).toBe(expected))
})
