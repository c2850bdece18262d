import { deleteImportMap, listImportMaps, type SavedMap, saveImportMap } from '@limber/contract/imports/import-map.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import ImportScreen from './import.screen.tsx'
import { makeImport, serveImport } from './imports.testing.ts'

const saved: SavedMap = {
  id: 4,
  resource: 'customers',
  name: 'Our list',
  columns: { Email: 'email' },
  dates: 'mdy',
  saved_by: 'Marcus Bell',
  saved_at: '2026-11-03T18:00:00.000Z',
}
const open = async () => {
  const sent: unknown[] = []
  const server = serveImport(makeImport())
    .answer(listImportMaps, { maps: [saved] })
    .answer(saveImportMap, ({ body }) => {
      sent.push(['save', body])
      return { ...saved, id: 9, name: 'Spreadsheet' }
    })
    .answer(deleteImportMap, ({ params }) => {
      sent.push(['delete', Number(params.id)])
      return { id: 4 }
    })
  const view = await renderScreen(<ImportScreen />, { server, path: '/worker/import/7?step=upload&map=saved-4' })
  await screen.findByRole('button', { name: 'Rename Our list' })
  return { ...view, sent }
}

it('renames a saved map: saves it under the new name, then deletes the old one, and stays on it', async () => {
  const { user, sent, router } = await open()
  expect(screen.queryByRole('button', { name: 'Rename Mindbody clients' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Rename Our list' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename “Our list”' }))
  const name = dialog.getByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Mindbody clients')
  await user.click(dialog.getByRole('button', { name: 'Rename' }))
  expect(await dialog.findByText(/is the name of another map/)).toBeTruthy()
  expect(sent).toEqual([])
  await user.clear(name)
  await user.type(name, 'Spreadsheet')
  await user.click(dialog.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('Map renamed.')).toBeTruthy()
  const body = { resource: 'customers', name: 'Spreadsheet', columns: { Email: 'email' }, dates: 'mdy' }
  expect(sent).toEqual([
    ['save', body],
    ['delete', 4],
  ])
  await waitFor(() => expect(router.state.location.search).toMatchObject({ map: 'saved-9' }))
})

it('deletes a saved map after a confirmation', async () => {
  const { user, sent, router } = await open()
  await user.click(screen.getByRole('button', { name: 'Delete Our list' }))
  const sure = within(await screen.findByRole('alertdialog'))
  expect(sent).toEqual([])
  await user.click(sure.getByRole('button', { name: 'Delete map' }))
  expect(await screen.findByText('Map deleted.')).toBeTruthy()
  expect(sent).toEqual([['delete', 4]])
  await waitFor(() => expect(router.state.location.search).not.toMatchObject({ map: 'saved-4' }))
})
