import { type MacroPreview, previewMacro } from '@limber/contract/support/saved-replies/macro.ts'
import {
  createSavedReply,
  listSavedReplies,
  type SavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { assignTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeMessage, makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'

const macro: SavedReply = {
  id: 9,
  name: 'Short session',
  content: 'Hi {first name}, I put {credits} in your account. {stretcher} will stay the full hour.',
  actions: [
    { type: 'status', status: 'in_progress' },
    { type: 'credits', credits: 2 },
    { type: 'tag', tag: 3 },
  ],
  uses: 31,
  changedAt: '2026-11-01T00:00:00.000Z',
  changedBy: 'Dana Whitfield',
  version: 4,
}
const step = { detail: '', needsPasskey: false, problem: null }
const preview: MacroPreview = {
  version: 4,
  steps: [
    { ...step, type: 'status', text: 'Set status to In Progress' },
    { ...step, type: 'credits', text: 'Grant 2 credits', detail: '3 to 5', needsPasskey: true },
    { ...step, type: 'tag', text: 'Add tag short session', problem: 'The ticket has 10 tags.' },
  ],
  facts: { credits: 2, stretcher: 'Renata', nextSession: null },
}
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your response...')

async function open(more: { preview?: MacroPreview; replies?: SavedReply[]; isLead?: boolean } = {}) {
  const ticket = makeTicket()
  const desk = serveTickets(ticket)
  const sent = vi.fn()
  desk.server.answer(listSavedReplies, more.replies ?? [macro])
  desk.server.answer(previewMacro, more.preview ?? preview)
  desk.server.answer(respondToTicket, ({ body }) => {
    sent(body)
    return desk.put({ ...ticket, messages: [...ticket.messages, makeMessage({ id: 2, from_customer: false })] })
  })
  const permissions = ['tickets.handle', ...(more.isLead ? ['notifications.send' as const] : [])] as const
  const view = await renderScreen(<Tickets />, {
    server: desk.server,
    path: '/support/tickets?ticket=4127',
    session: makeSession([...permissions]),
  })
  await screen.findByRole('heading', { name: ticket.subject })
  const pick = async () => {
    await view.user.click(box())
    await view.user.keyboard('/')
    return screen.findByRole('dialog', { name: 'Saved replies' }, { timeout: 10_000 })
  }
  return { ...desk, ...view, sent, pick }
}

describe('a saved reply with actions', () => {
  it('opens with a slash and shows the filled text and what will happen', async () => {
    const { pick } = await open()
    const dialog = await pick()
    expect(await within(dialog).findByText('3 actions · used 31 times')).toBeTruthy()
    const region = within(dialog).getByRole('region', { name: 'Preview' })
    await within(region).findByText('Grant 2 credits')
    expect(region.textContent).toContain('Hi Camille, I put 2 credits in your account. Renata will stay the full hour.')
    expect(within(region).getByText('3 to 5, with passkey')).toBeTruthy()
    expect(within(region).getByText('Add tag short session').tagName).toBe('S')
    expect(within(region).getByText('The ticket has 10 tags.')).toBeTruthy()
    expect(box().value).toBe('')
  })

  it('is sent with the actions that can run', async () => {
    const { pick, user, sent } = await open()
    const dialog = await pick()
    await user.click(await within(dialog).findByRole('button', { name: 'Send and run 2 actions' }))
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({
        message: 'Hi Camille, I put 2 credits in your account. Renata will stay the full hour.',
        workerId: 7,
        version: 1,
        macro: { id: 9, version: 4, actions: [0, 1] },
      }),
    )
    await waitFor(() => expect(box().value).toBe(''))
  })

  it('is sent by Ctrl-Enter, and only inserted by Enter', async () => {
    const { pick, user, sent } = await open()
    await within(await pick()).findByRole('button', { name: 'Send and run 2 actions' })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    await waitFor(() => expect(box().value).toBe(''))
    await within(await pick()).findByRole('button', { name: 'Send and run 2 actions' })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(box().value).toContain('Renata will stay'))
    expect(sent).toHaveBeenCalledTimes(1)
  })

  it('runs its actions with the edited response, except a status when the sender chose one', async () => {
    const { pick, user, sent } = await open()
    const insert = async () => {
      await within(await pick()).findByRole('button', { name: 'Send and run 2 actions' })
      await user.keyboard('{Enter}')
      return screen.findByRole('list', { name: 'Runs when you send' })
    }
    expect((await insert()).textContent).toBe('Runs when you send: Set status to In Progress Grant 2 credits')
    await user.type(box(), ' Sorry again.')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    expect(sent.mock.lastCall?.[0]).toMatchObject({
      message: expect.stringMatching(/full hour\. Sorry again\.$/),
      macro: { id: 9, version: 4, actions: [0, 1] },
    })
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Runs when you send' })).toBeNull())
    await insert()
    await user.type(box(), '{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
    expect(sent.mock.lastCall?.[0]).toMatchObject({ status: 'closed', macro: { actions: [1] } })
  })

  it('can be sent without its actions, and loses them with its text', async () => {
    const { pick, user, sent } = await open()
    const insert = async () => {
      await within(await pick()).findByRole('button', { name: 'Send and run 2 actions' })
      await user.keyboard('{Enter}')
      await screen.findByRole('list', { name: 'Runs when you send' })
    }
    await insert()
    await user.clear(box())
    expect(screen.queryByRole('list', { name: 'Runs when you send' })).toBeNull()
    await insert()
    await user.click(screen.getByRole('button', { name: 'Send without these actions' }))
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    expect(sent.mock.lastCall?.[0]).not.toHaveProperty('macro')
  })

  it('cannot be sent while a value is missing', async () => {
    const { pick, user, sent } = await open({
      preview: { ...preview, facts: { ...preview.facts, stretcher: null } },
    })
    const dialog = await pick()
    const button = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Send and run 2 actions' })
    expect(button.disabled).toBe(true)
    expect(within(dialog).getByText('{stretcher}').hasAttribute('data-missing')).toBe(true)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(sent).not.toHaveBeenCalled()
  })

  it('keeps the text when the server refuses', async () => {
    const { pick, user, server } = await open()
    const error = 'Nothing was sent. Grant 2 credits: You may not change credits.'
    server.answer(respondToTicket, new Refusal(409, 'macro_blocked', error))
    await user.click(await within(await pick()).findByRole('button', { name: 'Send and run 2 actions' }))
    expect(await screen.findByText(`Failed to send response: ${error}`)).toBeTruthy()
    expect(box().value).toContain('Renata will stay the full hour.')
    expect(screen.getByRole('list', { name: 'Runs when you send' })).toBeTruthy()
  })

  it('is written with its actions', async () => {
    const { user, server } = await open({ isLead: true, replies: [] })
    const saved = vi.fn()
    server.answer(createSavedReply, ({ body }) => {
      saved(body)
      return { ...macro, ...body, actions: body.actions ?? [] }
    })
    await user.click(box())
    await user.keyboard('Sorry{Control>}/{/Control}')
    await user.click(await screen.findByRole('button', { name: 'Save this text as a reply' }, { timeout: 10_000 }))
    const form = await screen.findByRole('dialog', { name: 'New saved reply' })
    await user.type(within(form).getByLabelText('Name'), 'Sorry')
    for (const type of ['status', 'credits', 'tag', 'callback', 'assign'])
      await user.selectOptions(within(form).getByLabelText('Add an action'), type)
    await user.selectOptions(within(form).getByLabelText('Grant credits'), '2')
    await user.selectOptions(within(form).getByLabelText('Set status'), 'closed')
    await user.selectOptions(within(form).getByLabelText('Assign to'), '8')
    await user.click(within(form).getByRole('button', { name: 'Remove: Call-back task' }))
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(saved).toHaveBeenCalledWith({
        name: 'Sorry',
        content: 'Sorry',
        actions: [
          { type: 'status', status: 'closed' },
          { type: 'credits', credits: 2 },
          { type: 'tag', tag: 3 },
          { type: 'assign', worker: 8 },
        ],
      }),
    )
  })
})

it('a response to an unassigned ticket offers to take it', async () => {
  const { user, server, find, put } = await open()
  const assigned = vi.fn()
  server.answer(assignTicket, ({ params, body }) => {
    assigned(body.workerId)
    return put({ ...find(params.id), assignee: { id: 7, name: 'Priya Raman' }, version: 3 })
  })
  await user.type(box(), 'Hello')
  await user.click(screen.getByRole('button', { name: 'Send Response' }))
  await screen.findByText('Response sent. Ticket #4127 is unassigned.')
  await user.click(screen.getByRole('button', { name: 'Assign to me' }))
  await waitFor(() => expect(assigned).toHaveBeenCalledWith(7))
})
