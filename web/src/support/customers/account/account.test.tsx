// @module-tag slow
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  exportUser,
  listDuplicates,
  mergeUsers,
  readContact,
  sendVerification,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { addNote, listNotes, type UserNote } from '@limber/contract/support/customers/note.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { provideStepUp } from '#platform/api/api.ts'
import { type FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import UserOverview from '../user-overview.screen.tsx'
import { makeUser, serveUsers } from '../users.testing.ts'

// Preload the lazy modules so that the tests do not wait for them.
beforeAll(() => Promise.all([import('../notes-dialog.tsx'), import('./account-dialog.tsx')]))
afterEach(() => void vi.restoreAllMocks())

const open = (server: FakeServer, view: 'notes' | 'account') =>
  renderScreen(<UserOverview />, { server, path: `/support/users?user=8&view=${view}` })
const type = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const dialog = (name: RegExp | string) => screen.findByRole('dialog', { name })
const sent = (server: FakeServer, call: object) =>
  server.requests.filter((one) => one.call === call).map(({ body }) => body)

const note = (id: number, text: string): UserNote => ({
  id,
  note: text,
  staffId: 7,
  staffName: 'Priya Raman',
  timestamp: '2026-11-10T09:30:00.000Z',
})

const contact = {
  first_name: 'Camille',
  last_name: 'Okafor',
  email: 'camille@example.com',
  phone: null,
  version: 4,
}

describe('User Notes', () => {
  it('lists notes with author and time, and adds a new one', async () => {
    const notes = [note(1, 'Prefers\nmornings')]
    const server = serveUsers(makeUser())
      .answer(listNotes, () => notes)
      .answer(addNote, ({ body }) => {
        notes.unshift(note(2, body.note))
        return note(2, body.note)
      })
    const { user } = await open(server, 'notes')
    const box = await dialog('User Notes')
    const first = await within(box).findByText(/Prefers/)
    expect(first.parentElement?.textContent).toMatch(/By: 7 \(Priya Raman\)Nov 10(, 2026)?, \d+:\d\d [AP]M$/)
    type(within(box).getByPlaceholderText('Add a new note...'), ' Moved to Perris ')
    await user.click(within(box).getByRole('button', { name: 'Add Note' }))
    expect(await within(box).findByText('Moved to Perris')).toBeTruthy()
    expect(within(box).getByPlaceholderText<HTMLTextAreaElement>('Add a new note...').value).toBe('')
  })

  it('are read-only on a closed account', async () => {
    const server = serveUsers(makeUser({ accountStatus: { isErased: true } })).answer(listNotes, [note(1, 'Old words')])
    await open(server, 'notes')
    const box = await dialog('User Notes')
    expect(await within(box).findByText('Old words')).toBeTruthy()
    expect(within(box).queryByLabelText('New note')).toBeNull()
  })

  it('does not send a blank note', async () => {
    const server = serveUsers(makeUser()).answer(listNotes, [])
    await open(server, 'notes')
    const box = await dialog('User Notes')
    const field = await within(box).findByPlaceholderText('Add a new note...')
    type(field, ' \n ')
    expect(within(box).getByRole<HTMLButtonElement>('button', { name: 'Add Note' }).disabled).toBe(true)
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
    expect(server.callCount(addNote)).toBe(0)
  })

  it('shows the error, keeps the text, and confirms before discarding it', async () => {
    const server = serveUsers(makeUser())
      .answer(listNotes, new Refusal(400, 'bad', 'Not now.'))
      .answer(addNote, new Refusal(422, 'full', 'Too many.'))
    const { user } = await open(server, 'notes')
    const box = await dialog('User Notes')
    expect(await within(box).findByText('Failed to fetch notes')).toBeTruthy()
    type(within(box).getByPlaceholderText('Add a new note...'), 'Kept')
    await user.click(within(box).getByRole('button', { name: 'Add Note' }))
    expect(await within(box).findByText('Failed to add note: Too many.')).toBeTruthy()
    expect(within(box).getByDisplayValue('Kept')).toBeTruthy()
    await user.click(within(box).getByRole('button', { name: 'Close' }))
    const question = await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
    await user.click(within(question).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'User Notes' })).toBeNull())
  })
})

async function begin(server: FakeServer, action: string, form: RegExp | string) {
  const rendered = await open(server, 'account')
  const box = await dialog('Account actions')
  await rendered.user.click(within(box).getByRole('button', { name: new RegExp(`^${action}`) }))
  return { ...rendered, form: await dialog(form) }
}

describe('Account actions', () => {
  it('blocks with a required reason', async () => {
    const server = serveUsers(makeUser()).answer(blockUser, { id: 8, version: 5 })
    const { user, form } = await begin(server, 'Block', 'Block Camille Okafor?')
    await user.click(within(form).getByRole('button', { name: 'Block' }))
    expect(await within(form).findByText('Reason is required.')).toBeTruthy()
    expect(server.callCount(blockUser)).toBe(0)
    type(within(form).getByLabelText('Reason'), 'Chargebacks')
    server.answer(readUser, makeUser({ accountStatus: { status: 'blocked', blockedReason: 'Chargebacks' } }))
    await user.click(within(form).getByRole('button', { name: 'Block' }))
    expect(await screen.findByText('Camille Okafor is blocked.')).toBeTruthy()
    expect(sent(server, blockUser)).toEqual([{ reason: 'Chargebacks' }])
    expect(await screen.findByText('Blocked: Chargebacks')).toBeTruthy()
    // The dialog closes after the action.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('unblocks, and shows the refusal of the server', async () => {
    const server = serveUsers(makeUser({ accountStatus: { status: 'blocked' } })).answer(
      unblockUser,
      new Refusal(409, 'not_blocked', 'This account is not blocked.'),
    )
    const { user, form } = await begin(server, 'Unblock', 'Unblock Camille Okafor?')
    type(within(form).getByLabelText('Reason'), 'Paid')
    await user.click(within(form).getByRole('button', { name: 'Unblock' }))
    expect(await within(form).findByText('This account is not blocked.')).toBeTruthy()
    expect(within(form).getByDisplayValue('Paid')).toBeTruthy()
  })

  it('adds and removes credits', async () => {
    const server = serveUsers(makeUser()).answer(adjustCredits, { id: 8, version: 4, credits: 1 })
    const { user, form } = await begin(server, 'Adjust credits', /^Adjust credits/)
    type(within(form).getByLabelText('Credits'), '-2')
    type(within(form).getByLabelText('Reason'), 'Given twice')
    await user.click(within(form).getByRole('button', { name: 'Adjust' }))
    expect(await screen.findByText('Camille Okafor now has 1 credit.')).toBeTruthy()
    expect(sent(server, adjustCredits)).toEqual([{ delta: -2, reason: 'Given twice' }])
  })

  it('shows both versions after a concurrent contact change and saves mine over theirs', async () => {
    const current = { ...contact, phone: '+19515550199', version: 5 }
    const server = serveUsers(makeUser())
      .answer(readContact, contact)
      .answer(correctContact, ({ body }) =>
        body.version === 5
          ? { id: 8, version: 6 }
          : new Refusal(409, 'stale', 'Someone else changed this account. Reload and try again.', { current }),
      )
    const { user, form } = await begin(server, 'Correct contact', 'Correct contact')
    type(await within(form).findByLabelText('Last name'), 'Okafor-Lind')
    type(within(form).getByLabelText('Reason'), 'Married')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const both = await dialog('Someone else changed this contact')
    expect(within(both).getByRole('row', { name: /Phone/ }).textContent).toBe('Phone--(951) 555-0199(951) 555-0199')
    await user.click(within(both).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Contact saved.')).toBeTruthy()
    expect(sent(server, correctContact).at(-1)).toEqual({
      first_name: 'Camille',
      last_name: 'Okafor-Lind',
      email: 'camille@example.com',
      phone: '+19515550199',
      reason: 'Married',
      version: 5,
    })
  })

  it('returns the focus to the button when a form closes, also when it had to load', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const server = serveUsers(makeUser()).answer(readContact, async () => {
      await arrived
      return contact
    })
    const { user, form } = await begin(server, 'Correct contact', 'Correct contact')
    // The focus is in the loading dialog when the form replaces it.
    await waitFor(() => expect(form.contains(document.activeElement)).toBe(true))
    arrive()
    await screen.findByLabelText('Last name')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Correct contact/ })))
  })

  it('accepts any phone notation and refuses text that is not a number', async () => {
    const contact = { first_name: 'Camille', last_name: 'Okafor', email: 'camille@example.com', version: 4 }
    const server = serveUsers(makeUser())
      .answer(readContact, { ...contact, phone: '+19515550123' })
      .answer(correctContact, { id: 8, version: 5 })
    const { user, form } = await begin(server, 'Correct contact', 'Correct contact')
    const phone = await within(form).findByLabelText<HTMLInputElement>(/^Phone/)
    expect(phone.value).toBe('(951) 555-0123')
    type(within(form).getByLabelText('Reason'), 'A new phone')
    type(phone, 'none of it')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    expect(await within(form).findByText(/must be a number/)).toBeTruthy()
    type(phone, '951.555.0188')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Contact saved.')).toBeTruthy()
    expect(sent(server, correctContact)).toMatchObject([{ phone: '+19515550188' }])
  })

  it('offers the verification email only for an unverified address', async () => {
    const server = serveUsers(makeUser({ accountStatus: { emailVerified: false } })).answer(
      sendVerification,
      new Refusal(409, 'too_soon', 'A verification email was sent less than ten minutes ago. Try again later.'),
    )
    const { user, form } = await begin(server, 'Send verification email', 'Send the verification email?')
    type(within(form).getByLabelText('Reason'), 'Asked for it')
    await user.click(within(form).getByRole('button', { name: 'Send' }))
    expect(
      await within(form).findByText('A verification email was sent less than ten minutes ago. Try again later.'),
    ).toBeTruthy()
  })

  it('merges the selected duplicate after a passkey', async () => {
    const twin = { id: 31, name: 'Camille O', email: 'co@example.com', phone: null, bookings: 1, credits: 2 }
    const asked = vi.fn(() => Promise.resolve(true))
    const forget = provideStepUp(asked)
    let times = 0
    const server = serveUsers(makeUser())
      .answer(listDuplicates, [{ ...twin, joinedAt: '2026-01-01T00:00:00.000Z', why: 'same phone' }])
      .answer(mergeUsers, () => {
        times += 1
        if (times === 1) return new Refusal(403, 'step_up_required', 'Confirm with your passkey.')
        return { id: 8, version: 5, moved: { bookings: 1, transactions: 0, credits: 2, tickets: 0, notes: 0 } }
      })
    const { user, form } = await begin(server, 'Merge duplicate', /^Merge a duplicate/)
    await user.click(await within(form).findByRole('radio', { name: /Camille O.*same phone · 1 booking · 2 credits/ }))
    type(within(form).getByLabelText('Reason'), 'Signed up twice')
    await user.click(within(form).getByRole('button', { name: 'Merge' }))
    expect(await screen.findByText('Merged. Moved 1 booking and 2 credits.')).toBeTruthy()
    expect(asked).toHaveBeenCalledOnce()
    expect(sent(server, mergeUsers).at(-1)).toEqual({ duplicateId: 31, reason: 'Signed up twice' })
    forget()
  })

  it('downloads the export as a file', async () => {
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const nothing = {
      bookings: [],
      transactions: [],
      creditEntries: [],
      rewards: [],
      notes: [],
      mergedAccounts: [],
      participations: [],
      certifications: [],
      training: { courses: [], lessons: [], attempts: [] },
      notifications: [],
      usage: [],
      texts: [],
      mails: [],
      tickets: null,
      leads: null,
    }
    const server = serveUsers(makeUser()).answer(exportUser, {
      exportedAt: '2026-11-10T09:30:00.000Z',
      customer: { id: 8, email: 'camille@example.com' },
      ...nothing,
    })
    const { user, form } = await begin(server, 'Export data', /^Export data/)
    type(within(form).getByLabelText('Reason'), 'Asked for it')
    await user.click(within(form).getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('Data for Camille Okafor saved as customer-8.json.')).toBeTruthy()
    const [blob] = saved.mock.calls[0] ?? []
    const file: unknown = JSON.parse(blob instanceof Blob ? await blob.text() : '')
    expect(file).toMatchObject({ customer: { email: 'camille@example.com' }, tickets: null })
  })

  it('names the parts that the worker may not export', async () => {
    const session = makeSession(['users.overview', 'users.tickets'])
    const path = '/support/users?user=8&view=account'
    const { user } = await renderScreen(<UserOverview />, { server: serveUsers(makeUser()), path, session })
    await user.click(within(await dialog('Account actions')).getByRole('button', { name: /^Export data/ }))
    const form = await dialog(/^Export data/)
    expect(form.textContent).toContain('usage events, plus tickets.')
    expect(form.textContent).toContain('You do not have permission to export text messages, emails, and leads.')
  })

  it('erases only with the typed email, and shows the refusal of the server', async () => {
    const server = serveUsers(makeUser()).answer(
      eraseUser,
      new Refusal(422, 'wrong_email', 'This is not the email of the account.'),
    )
    const { user, form } = await begin(server, 'Erase', 'Erase Camille Okafor?')
    type(within(form).getByLabelText('Email of the account'), 'other@example.com')
    type(within(form).getByLabelText('Reason'), 'Asked for it')
    await user.click(within(form).getByRole('button', { name: 'Erase' }))
    expect(await within(form).findByText('This is not the email of the account.')).toBeTruthy()
  })

  it('offers only the export for a closed account', async () => {
    await open(serveUsers(makeUser({ accountStatus: { isErased: true } })), 'account')
    const names = (box: HTMLElement) =>
      within(within(box).getByRole('list'))
        .getAllByRole('button')
        .map((one) => one.textContent)
    expect(names(await dialog('Account actions'))).toEqual([expect.stringMatching(/^Export data/)])
  })

  it("corrects a stretcher's email and refers to Stretcher Management for the name", async () => {
    const server = serveUsers(makeUser({ accountStatus: { isStretcher: true, eraseBar: 'has_worked' } }))
      .answer(readContact, contact)
      .answer(correctContact, { id: 8, version: 5 })
    const { user, form } = await begin(server, 'Correct contact', 'Correct contact')
    expect(within(form).queryByLabelText('First name')).toBeNull()
    expect(within(form).getByText(/Change the name of a stretcher in Stretcher Management/)).toBeTruthy()
    type(within(form).getByLabelText('Email'), 'new@example.com')
    type(within(form).getByLabelText('Reason'), 'Asked for it')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent(server, correctContact)).toMatchObject([{ first_name: 'Camille', email: 'new@example.com' }]),
    )
  })

  it.each([
    ['has_worked', 'A stretcher who has worked here cannot be erased. Payroll and tax records must keep the name.'],
    ['is_stretcher', 'Deactivate the stretcher in Stretcher Management before you erase this account.'],
  ] as const)('says why a stretcher cannot be erased: %s', async (eraseBar, words) => {
    await open(serveUsers(makeUser({ accountStatus: { isStretcher: true, eraseBar } })), 'account')
    const box = await dialog('Account actions')
    expect(within(box).queryByRole('button', { name: /^Erase/ })).toBeNull()
    expect(within(box).getByText(words)).toBeTruthy()
  })

  it('offers to erase a deactivated stretcher who never worked', async () => {
    await open(serveUsers(makeUser({ accountStatus: { isStretcher: true, eraseBar: null } })), 'account')
    expect(within(await dialog('Account actions')).getByRole('button', { name: /^Erase/ })).toBeTruthy()
  })
})
