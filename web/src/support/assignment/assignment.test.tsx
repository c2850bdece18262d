import {
  type Assignment,
  createAbsence,
  endAbsence,
  readAssignment,
  saveRoundRobin,
  setTakesNew,
  setTakesOnReply,
} from '@limber/contract/support/assignment/assignment.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import AssignmentScreen from './assignment.screen.tsx'

const workers: Assignment['workers'] = [
  { id: 7, name: 'Priya Raman', open: 4, isPresent: true, takesNew: true, isAway: false },
  { id: 8, name: 'Dana Whitfield', open: 1, isPresent: false, takesNew: true, isAway: false },
  { id: 9, name: 'Kenji Morales', open: 0, isPresent: true, takesNew: true, isAway: true },
]
const absence = {
  id: 3,
  worker: { id: 9, name: 'Kenji Morales' },
  startsOn: '2026-11-16',
  endsOn: '2026-11-20',
  substitute: { id: 8, name: 'Dana Whitfield' },
  handsOver: true,
}
const usual: Assignment = {
  takesOnReply: false,
  takesNew: true,
  roundRobins: [
    { view: null, isOn: true, maxOpen: 20, members: [{ id: 7, name: 'Priya Raman' }], version: 2 },
    { view: { id: 5, name: 'Open refunds' }, isOn: false, maxOpen: 20, members: [], version: 0 },
  ],
  workers,
  absences: [absence],
}

async function open({ isLead = true, assignment = usual } = {}) {
  const server = new FakeServer().answer(readAssignment, () => assignment)
  const session = makeSession(isLead ? ['tickets.handle', 'notifications.send'] : ['tickets.handle'])
  const view = await renderScreen(<AssignmentScreen />, { server, path: '/support/assignment', session })
  await screen.findByRole('heading', { name: 'Team' })
  return { ...view, server }
}

describe('assignment', () => {
  it('shows who is here, who takes part and who is away', async () => {
    await open()
    expect(screen.getByText('Priya Raman, up to 20 open tickets each')).toBeTruthy()
    expect(screen.getByText('No one takes part')).toBeTruthy()
    expect(screen.getByText('Dana Whitfield takes over, open tickets were handed over')).toBeTruthy()
    expect(['Here', 'Not signed in'].map((text) => screen.getAllByText(text).length)).toEqual([1, 1])
    expect(screen.getByText('1 open ticket')).toBeTruthy()
  })

  it('sets who takes turns', async () => {
    const { user, server } = await open()
    const saved = vi.fn()
    server.answer(saveRoundRobin, ({ body }) => {
      saved(body)
      return { ...(usual.roundRobins[1] as Assignment['roundRobins'][number]), version: 1 }
    })
    await user.click(screen.getByRole('button', { name: 'Edit round robin of Open refunds' }))
    const form = await screen.findByRole('dialog', { name: 'Round robin: Open refunds' }, { timeout: 10_000 })
    await user.click(within(form).getByLabelText('Assign new tickets'))
    await user.click(within(form).getByLabelText('Dana Whitfield'))
    await user.click(within(form).getByLabelText('Priya Raman'))
    await user.click(within(form).getByLabelText('Dana Whitfield'))
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const body = { view: 5, isOn: true, maxOpen: 20, members: [7], version: 0 }
    await waitFor(() => expect(saved).toHaveBeenCalledWith(body))
  })

  it('keeps the form and says why when saving is refused', async () => {
    const { user, server } = await open()
    server.answer(saveRoundRobin, new Refusal(422, 'nobody', 'Select at least one worker.'))
    await user.click(screen.getByRole('button', { name: 'Edit round robin of Unassigned' }))
    const form = await screen.findByRole('dialog', { name: 'Round robin: Unassigned' }, { timeout: 10_000 })
    await user.click(within(form).getByLabelText('Priya Raman'))
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    expect(await within(form).findByText('Select at least one worker.')).toBeTruthy()
  })

  it('lets agents pause and plan their own days only', async () => {
    const { user, server } = await open({ isLead: false })
    expect(screen.queryByRole('button', { name: /Edit round robin/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /Kenji Morales/ })).toBeNull()
    const replying = screen.getByLabelText<HTMLInputElement>(/Assign unassigned tickets/)
    expect(replying.disabled).toBe(true)
    const paused = vi.fn()
    server.answer(setTakesNew, ({ body }) => {
      paused(body)
      return body
    })
    await user.click(screen.getByLabelText(/Take new tickets/))
    await waitFor(() => expect(paused).toHaveBeenCalledWith({ takesNew: false }))
    const planned = vi.fn()
    server.answer(createAbsence, ({ body }) => {
      planned(body)
      return absence
    })
    await user.click(screen.getByRole('button', { name: 'Add days' }))
    const form = await screen.findByRole('dialog', { name: 'Out of office' }, { timeout: 10_000 })
    expect(within(form).queryByLabelText('Who')).toBeNull()
    await user.selectOptions(within(form).getByLabelText('Substitute'), '8')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(planned).toHaveBeenCalledWith(expect.objectContaining({ workerId: 7, substituteId: 8, handsOver: true })),
    )
  })

  it('ends an absence with an undo, and changes the setting for everyone', async () => {
    const { user, server } = await open()
    const ended = vi.fn()
    server.answer(endAbsence, ({ params }) => {
      ended(params.id)
      return { id: params.id }
    })
    const again = vi.fn()
    server.answer(createAbsence, ({ body }) => {
      again(body)
      return absence
    })
    await user.click(screen.getByRole('button', { name: /Kenji Morales/ }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const { id: _, worker, substitute, ...days } = absence
    await waitFor(() =>
      expect(again).toHaveBeenCalledWith({ ...days, workerId: worker.id, substituteId: substitute.id }),
    )
    expect(ended).toHaveBeenCalledWith(3)
    const set = vi.fn()
    server.answer(setTakesOnReply, ({ body }) => {
      set(body)
      return body
    })
    await user.click(screen.getByLabelText(/Assign unassigned tickets/))
    await waitFor(() => expect(set).toHaveBeenCalledWith({ takesOnReply: true }))
  })

  it('says so when nobody is away', async () => {
    await open({ assignment: { ...usual, absences: [] } })
    expect(screen.getByText('No one is out of office')).toBeTruthy()
  })
})
