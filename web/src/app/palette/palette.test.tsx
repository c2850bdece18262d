import { startBackup } from '@limber/contract/backups/backup.ts'
import { findHolders } from '@limber/contract/certifications/certification.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeServer, makeSession, renderScreen } from '#platform/testing/testing.tsx'
import { registry } from '../areas.ts'
import { RegistryProvider } from '../section-registry.ts'
import Palette from './palette.tsx'

beforeEach(() => localStorage.clear())

const onlyVerbs = { ...registry, paletteSources: [] }
const open = (options: Parameters<typeof renderScreen>[1] = {}) =>
  renderScreen(
    <RegistryProvider value={onlyVerbs}>
      <Palette isOpen onClose={() => undefined} />
    </RegistryProvider>,
    { path: '/here', ...options },
  )
const options = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((option) => option.textContent)

describe('the palette', () => {
  it('opens a form, and shows what was done most first', async () => {
    const { user, router } = await open()
    await user.type(await screen.findByRole('combobox'), 'invite')
    await waitFor(() => expect(options('Do')).toEqual(['Invite worker']))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/worker/tech/access?do=invite'))
  })

  it('takes the record in place, and goes to what can be done to it', async () => {
    const asked = vi.fn()
    const server = new FakeServer().answer(findHolders, ({ query }) => {
      asked(query.search)
      return { holders: [{ id: 31, name: 'Maya Chen', email: 'maya@example.com', isStretcher: true }] }
    })
    const { user, router } = await open({ server })
    const field = await screen.findByRole('combobox')
    await user.type(field, 'certification')
    await waitFor(() => expect(options('Do')).toContain('Issue certification…'))
    await user.click(screen.getByRole('option', { name: /^Issue\s*certification/ }))
    expect((field as HTMLInputElement).value).toBe('Issue certification ')
    await user.type(field, 'may')
    await waitFor(() => expect(options('Issue certification…')).toEqual(['Maya Chenmaya@example.com']))
    expect(asked).toHaveBeenLastCalledWith('may')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/certifications?view=create&user=31'))
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

  it('says what will happen before it acts', async () => {
    const started = vi.fn()
    const server = new FakeServer().answer(startBackup, () => {
      started()
      return {} as never
    })
    const { user } = await open({ server })
    await user.type(await screen.findByRole('combobox'), 'run backup')
    await waitFor(() => expect(options('Do')).toEqual(['Run backup']))
    await user.keyboard('{Enter}')
    const question = await screen.findByRole('alertdialog', { name: 'Run a backup now?' })
    expect(question.textContent).toContain('You confirm with your passkey.')
    expect(started).not.toHaveBeenCalled()
    await user.click(within(question).getByRole('button', { name: 'Back up now' }))
    await waitFor(() => expect(started).toHaveBeenCalledOnce())
  })
})
