import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  type SavedReply,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { FakeEventSource, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'

const opened = '/support/tickets?ticket=4127'
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your response...')
// Loaded on first opening.
const dialogNamed = (name: string) => screen.findByRole('dialog', { name }, { timeout: 10_000 })
const search = () => screen.findByRole('combobox', { name: 'Search saved replies' }, { timeout: 10_000 })
const hear = (message: object) => act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify(message) }))
const names = () =>
  within(screen.getByRole('listbox', { name: 'Saved replies' }))
    .queryAllByRole('option')
    .map(({ textContent }) => textContent)

let serial = 0
const makeReply = (name: string, content: string): SavedReply => ({
  ...{ id: ++serial, name, content, version: 1, actions: [], uses: 0 },
  changedAt: '2026-11-01T00:00:00.000Z',
  changedBy: 'Dana Whitfield',
})

async function open({ session = makeSession(), replies = usual(), ticket = makeTicket() } = {}) {
  const desk = serveTickets(ticket)
  const kept = { replies }
  desk.server.answer(listSavedReplies, () => kept.replies)
  const view = await renderScreen(<Tickets />, { server: desk.server, path: opened, session })
  await screen.findByRole('heading', { name: ticket.subject })
  const pick = async () => {
    await view.user.keyboard('{Control>}/{/Control}')
    await waitFor(async () => expect(document.activeElement).toBe(await search()))
  }
  return { ...desk, ...view, kept, pick }
}

const usual = () => [
  makeReply('Apology', 'Sorry, {first name}. Ticket #{ticket}, {agent}.'),
  makeReply('Late stretcher', 'That should not happen.'),
  makeReply('Refund', 'It is on its way, {order}.'),
]

describe('a saved reply', () => {
  it('is inserted with two keys, filled in, with the caret behind it', async () => {
    const { user, pick } = await open()
    await user.keyboard('r')
    await pick()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(box().value).toBe('Sorry, Camille. Ticket #4127, Priya Raman.'))
    await waitFor(() => expect(document.activeElement).toBe(box()))
    expect(box().selectionStart).toBe(box().value.length)
    expect(screen.getByText('Draft saved on this device')).toBeTruthy()
  })

  it('is found by its words and the arrow keys, with a preview', async () => {
    const { user, pick } = await open()
    await pick()
    await screen.findByRole('listbox', { name: 'Saved replies' })
    expect(names()).toEqual(['Apology', 'Late stretcher', 'Refund'])
    await user.keyboard('{ArrowUp}')
    expect(screen.getByRole('region', { name: 'Preview' }).textContent).toContain('It is on its way, {order}.')
    await user.keyboard('sh')
    expect(names()).toEqual(['Late stretcher'])
    await user.keyboard('x')
    expect(screen.getByText('No saved reply contains “shx”.')).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(box().value).toBe('')
    await user.keyboard('{Backspace}{Enter}')
    await waitFor(() => expect(box().value).toBe('That should not happen.'))
  })

  it('is found by what is typed while the dialog opens', async () => {
    const { user } = await open()
    await user.click(box())
    await user.keyboard('/latex{Backspace}')
    const field = await search()
    await waitFor(() => expect(field).toHaveProperty('value', 'late'))
    expect(box().value).toBe('')
    await user.keyboard(' s')
    expect(names()).toEqual(['Late stretcher'])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(box().value).toBe('That should not happen.'))
  })

  it('is not offered after Escape while the dialog opens', async () => {
    const { user } = await open()
    await user.click(box())
    await user.keyboard('/ap{Escape}')
    await new Promise((done) => setTimeout(done, 300))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(box().value).toBe('')
    await user.click(box())
    await user.keyboard('ok')
    expect(box().value).toBe('ok')
  })

  it('is inserted at the caret and replaces nothing typed or selected', async () => {
    const { user, pick } = await open()
    await user.type(box(), 'Hi. Bye.')
    box().setSelectionRange(0, 3)
    await pick()
    await user.click(await screen.findByRole('option', { name: 'Late stretcher' }))
    await waitFor(() => expect(box().value).toBe('Hi. That should not happen. Bye.'))
    expect(box().selectionStart).toBe('Hi. That should not happen.'.length)
  })

  it('is appended to a draft that had no focus yet', async () => {
    const first = await open()
    await first.user.type(box(), 'Begun.')
    first.unmount()
    const { user } = await open()
    box().setSelectionRange(0, 0)
    await user.click(screen.getByRole('button', { name: 'Saved replies' }))
    await search()
    await user.click(await screen.findByRole('option', { name: 'Late stretcher' }))
    await waitFor(() => expect(box().value).toBe('Begun. That should not happen.'))
  })

  it('is not inserted when Escape closes the list', async () => {
    const { user, pick } = await open()
    await user.type(box(), 'Hello')
    await pick()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(box()))
    expect(box().value).toBe('Hello')
  })

  it('works in notes, and greets an unknown customer', async () => {
    const { user, pick } = await open({ ticket: makeTicket({ customer: null }) })
    await user.click(screen.getByRole('button', { name: 'Internal note' }))
    await pick()
    await user.keyboard('{Enter}')
    const note = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' })
    await waitFor(() => expect(note.value).toBe('Sorry, there. Ticket #4127, Priya Raman.'))
  })

  it('is not inserted when the message would be too long', async () => {
    const { user, pick } = await open({ replies: [makeReply('Long', 'x'.repeat(11_000))] })
    fireEvent.change(box(), { target: { value: 'y'.repeat(10_000) } })
    await pick()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('The message would be too long. The limit is 20,000 characters.')).toBeTruthy()
    expect(box().value).toBe('y'.repeat(10_000))
  })

  it('from another worker appears while the list is open', async () => {
    const { kept, pick } = await open()
    await pick()
    kept.replies = [makeReply('A new one', 'Hello.'), ...kept.replies]
    hear({ topic: 'saved-replies', reply: 9 })
    expect(await screen.findByRole('option', { name: 'A new one' })).toBeTruthy()
  })
})

describe('the list of saved replies', () => {
  it('explains itself when empty, and hides the management actions from agents', async () => {
    const { user } = await open({ replies: [], session: makeSession(['tickets.handle']) })
    await user.click(screen.getByRole('button', { name: 'Saved replies' }))
    const dialog = await dialogNamed('Saved replies')
    expect(await within(dialog).findByText('No saved replies yet')).toBeTruthy()
    expect(within(dialog).getByText(/insert them into replies\. Ask your team lead to add one\./)).toBeTruthy()
    expect(within(dialog).queryByRole('button', { name: /Manage|Save this text/ })).toBeNull()
  })

  it('shows the error', async () => {
    const { user, server } = await open()
    server.answer(listSavedReplies, new Refusal(500, 'broken', 'It broke.'))
    await user.click(screen.getByRole('button', { name: 'Saved replies' }))
    const dialog = await dialogNamed('Saved replies')
    expect(await within(dialog).findByText("Couldn't load saved replies")).toBeTruthy()
  })

  it('saves the text in the box under an unused name', async () => {
    const { user, server, pick } = await open()
    await user.type(box(), 'We close at six.')
    const asked = vi.fn()
    server.answer(createSavedReply, ({ body }) => {
      asked(body)
      return body.name === 'Refund'
        ? new Refusal(409, 'name_taken', 'Another saved reply has this name.')
        : makeReply(body.name, body.content)
    })
    await pick()
    await user.click(screen.getByRole('button', { name: 'Save this text as a reply' }))
    const dialog = await dialogNamed('New saved reply')
    await user.type(within(dialog).getByLabelText('Name'), 'Refund')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByText('Another saved reply has this name.')).toBeTruthy()
    await user.type(within(dialog).getByLabelText('Name'), ' hours')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Reply saved for everyone.')).toBeTruthy()
    expect(asked).toHaveBeenLastCalledWith({ name: 'Refund hours', content: 'We close at six.' })
    expect(box().value).toBe('We close at six.')
  })

  it('cannot save an empty box', async () => {
    const { pick } = await open()
    await pick()
    expect(screen.queryByRole('button', { name: 'Save this text as a reply' })).toBeNull()
  })
})

describe('managing saved replies', () => {
  const manage = async () => {
    const desk = await open()
    await desk.pick()
    await desk.user.click(screen.getByRole('button', { name: 'Manage' }))
    return { ...desk, dialog: await dialogNamed('Manage saved replies') }
  }

  it('edits one, and resolves a concurrent change', async () => {
    const { user, server, kept, dialog } = await manage()
    const theirs = { ...(kept.replies[2] as SavedReply), content: 'It went out today.', version: 2 }
    const asked = vi.fn()
    server.answer(updateSavedReply, ({ body }) => {
      asked(body)
      return body.version === 1
        ? new Refusal(409, 'stale', 'Someone else changed this saved reply. Reload and try again.', { current: theirs })
        : { ...theirs, ...body, actions: body.actions ?? theirs.actions, version: 3 }
    })
    await user.click(within(dialog).getByRole('button', { name: 'Edit Refund' }))
    const form = await dialogNamed('Edit saved reply')
    await user.type(within(form).getByLabelText('Name'), ' sent')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const choice = await dialogNamed('Someone else changed this saved reply')
    await user.click(within(choice).getByRole('button', { name: /mine/i }))
    await waitFor(() =>
      expect(asked).toHaveBeenLastCalledWith({
        name: 'Refund sent',
        content: 'It went out today.',
        actions: [],
        version: 2,
      }),
    )
  })

  it('deletes one after a confirmation, and shows a refusal', async () => {
    const { user, server, kept, dialog } = await manage()
    server.answer(deleteSavedReply, new Refusal(404, 'not_found', 'This saved reply does not exist.'))
    const remove = async () => {
      await user.click(within(dialog).getByRole('button', { name: 'Delete Apology' }))
      const question = await screen.findByRole('alertdialog', { name: 'Delete “Apology”?' }, { timeout: 10_000 })
      await user.click(within(question).getByRole('button', { name: 'Delete' }))
    }
    await remove()
    expect(await screen.findByText("Couldn't delete “Apology”")).toBeTruthy()
    server.answer(deleteSavedReply, ({ params }) => {
      kept.replies = kept.replies.filter(({ id }) => id !== params.id)
      return { id: params.id }
    })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await remove()
    expect(await screen.findByText('“Apology” deleted.')).toBeTruthy()
    await waitFor(() => expect(within(dialog).queryByText('Apology')).toBeNull())
  })
})
