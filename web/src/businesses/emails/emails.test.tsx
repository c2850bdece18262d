// @module-tag slow
import {
  checkEmails,
  deleteEmail,
  listEmails,
  resetEmails,
  updateEmail,
  uploadEmails,
} from '@limber/contract/businesses/emails/allowed-email.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Businesses from '../business/businesses.screen.tsx'
import { makeBusiness, pageOf, serveCompany } from '../business/businesses.testing.ts'
import { linesText, readAddresses } from './read-addresses.ts'

const open = async (server: FakeServer) => {
  const view = await renderScreen(<Businesses />, { server, path: '/worker/managing/businesses?business=1' })
  return { ...view, list: within(await screen.findByRole('region', { name: 'Allowed email list' })) }
}
const fill = (field: HTMLElement, text: string) => act(() => void fireEvent.change(field, { target: { value: text } }))
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => `person${String(n).padStart(6, '0')}@example.com`)
const bodyOf = (server: FakeServer, call: unknown) => server.requests.findLast((one) => one.call === call)?.body
const oneByte = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const twoBytes = (text: string, order: 'little' | 'big') =>
  new Uint8Array(
    [...text].flatMap((letter) => {
      const [low, high] = [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]
      return order === 'little' ? [low, high] : [high, low]
    }),
  )
const file = (name: string, text: string) => new File([text], name, { type: 'text/plain' })

describe('allowed email list', () => {
  it('can be searched from six addresses', async () => {
    const { list, unmount } = await open(serveCompany({ emails: people(5) }))
    expect(await list.findByText('person000004@example.com')).toBeTruthy()
    expect(list.queryByRole('textbox', { name: 'Search emails' })).toBeNull()
    unmount()
    const { list: longer, user } = await open(serveCompany({ emails: people(6) }))
    await user.type(await longer.findByRole('textbox', { name: 'Search emails' }), '000005')
    await waitFor(() => expect(longer.queryByText('person000001@example.com')).toBeNull())
    expect(await longer.findByText('person000005@example.com')).toBeTruthy()
  })

  it('renders only visible rows of 100,000, and loads only their pages', async () => {
    const all = people(100_000)
    const server = serveCompany({ emails: all })
    const { list } = await open(server)
    expect(await list.findByText('person000000@example.com')).toBeTruthy()
    expect(list.getAllByRole('listitem').length).toBeLessThan(30)
    const box = list.getByRole('list', { name: 'Allowed addresses' }).parentElement as HTMLElement
    act(() => {
      box.scrollTop = 34 * 50_000
      fireEvent.scroll(box)
    })
    expect(await list.findByText('person050000@example.com')).toBeTruthy()
    expect(server.callCount(listEmails)).toBeLessThan(6)
  })

  it('edits an address in place, and refuses an invalid one', async () => {
    const server = serveCompany({ emails: people(3) }).answer(updateEmail, {
      id: 1,
      email: 'new@example.com',
      version: 2,
    })
    const { list, user } = await open(server)
    await user.click(await list.findByRole('button', { name: 'Edit person000000@example.com' }))
    fill(list.getByLabelText('Edit address'), 'nobody')
    await user.click(list.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Invalid email format.')).toBeTruthy()
    fill(list.getByLabelText('Edit address'), ' New@example.com ')
    await user.click(list.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateEmail)).toMatchObject({ email_id: 1, version: 1 })
  })

  it('shows both versions of an address that someone else changed, even after a reload', async () => {
    const current = { id: 1, email: 'theirs@example.com', version: 2 }
    const server = serveCompany({ emails: people(3) }).answer(
      updateEmail,
      new Refusal(409, 'stale', 'Someone else changed this address. Reload and try again.', { current }),
    )
    const { list, user } = await open(server)
    await user.click(await list.findByRole('button', { name: 'Edit person000000@example.com' }))
    fill(list.getByLabelText('Edit address'), 'mine@example.com')
    const read = server.callCount(listEmails)
    server.answer(listEmails, {
      emails: [current],
      pagination: paginate(1, 100, 1),
      total: 1,
    })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"businesses","business":1}' }))
    await waitFor(() => expect(server.callCount(listEmails)).toBeGreaterThan(read))
    await user.click(list.getByRole('button', { name: 'Save' }))
    expect(bodyOf(server, updateEmail)).toMatchObject({ version: 1 })
    const both = within(await screen.findByRole('dialog', { name: 'Someone else changed this address' }))
    expect(both.getByText('theirs@example.com')).toBeTruthy()
    server.answer(updateEmail, { id: 1, email: 'mine@example.com', version: 3 })
    await user.click(both.getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(bodyOf(server, updateEmail)).toEqual({ email_id: 1, new_email: 'mine@example.com', version: 2 })
  })

  it('continues an upload after its business is left, and shows the progress on return', async () => {
    let finish = () => {}
    const held = new Promise<void>((done) => {
      finish = done
    })
    const server = serveCompany({ businesses: [makeBusiness(), makeBusiness({ id: 2, name: 'Citrus Belt' })] })
      .answer(checkEmails, { added: 2, skipped: 0, invalid: 0, invalid_lines: [], known: [] })
      .answer(uploadEmails, async () => {
        await held
        return { added: 2, skipped: 0, invalid: 0, invalid_lines: [] }
      })
    const { list, user } = await open(server)
    await user.upload(list.getByLabelText('Import addresses'), file('staff.txt', 'ana@example.com\nben@example.com'))
    expect(await list.findByText('2 addresses to upload')).toBeTruthy()
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await list.findByRole('progressbar', { name: 'Uploading...' })).toBeTruthy()
    await user.click(await screen.findByRole('link', { name: /Citrus Belt/ }))
    await screen.findByRole('heading', { name: 'Citrus Belt', level: 2 })
    await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Uploading...' })).toBeNull())
    await user.click(screen.getByRole('link', { name: /Mission Inn Hospitality/ }))
    expect(await screen.findByRole('progressbar', { name: 'Uploading...' })).toBeTruthy()
    finish()
    expect(await screen.findByText('Emails uploaded.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Uploading...' })).toBeNull())
  })

  it('deletes and resets after a confirmation', async () => {
    const server = serveCompany({ emails: people(3) })
      .answer(deleteEmail, { id: 2 })
      .answer(resetEmails, { deleted: 3 })
    const { list, user } = await open(server)
    const answer = async (question: string, verb: string) =>
      user.click(within(await screen.findByRole('alertdialog', { name: question })).getByRole('button', { name: verb }))
    await user.click(await list.findByRole('button', { name: 'Delete person000001@example.com' }))
    await answer('Delete this address?', 'Delete')
    expect(await screen.findByText('Address deleted.')).toBeTruthy()
    await user.click(list.getByRole('button', { name: 'Reset' }))
    await answer('Reset the whole list?', 'Reset')
    expect(await screen.findByText('The list is empty.')).toBeTruthy()
  })

  it('can be downloaded once it has an address', async () => {
    const { list, unmount } = await open(serveCompany({ emails: people(1) }))
    const link = await list.findByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe('/api/businesses/emails/export?business_id=1')
    unmount()
    const { list: empty } = await open(serveCompany())
    await empty.findByText(/No addresses yet/)
    expect(empty.queryByRole('link', { name: 'Export CSV' })).toBeNull()
  })

  it('imports a file, shows what it contains, and uploads it', async () => {
    const server = serveCompany()
      .answer(checkEmails, { added: 2, skipped: 1, invalid: 0, invalid_lines: [], known: ['ana@example.com'] })
      .answer(uploadEmails, { added: 2, skipped: 0, invalid: 0, invalid_lines: [] })
    const { list, user } = await open(server)
    const text = 'Name,Mail\nAna Ruiz,ANA@example.com\n\nADMIN=ben@example.com\nana@example.com, cleo@example.com\n'
    await user.upload(list.getByLabelText('Import addresses'), file('staff.csv', text))
    expect(
      await list.findByText(
        '2 new addresses in staff.csv, 1 already on the list, 1 twice in the file, no address in line 1. Select Upload to add them.',
      ),
    ).toBeTruthy()
    expect(list.getByText('2 addresses to upload')).toBeTruthy()
    server.answer(listEmails, ({ body }) => pageOf(['ana@example.com'], body.search, body.page, body.limit))
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('Emails uploaded.')).toBeTruthy()
    expect(bodyOf(server, uploadEmails)).toEqual({
      business_id: 1,
      list: 'ben@example.com\ncleo@example.com',
    })
    expect(await list.findByText('ana@example.com')).toBeTruthy()
    expect(list.getByText('2 added, 2 skipped, 1 invalid (line 1).')).toBeTruthy()
  })

  it('reports a file without new addresses, a file that is not text, and an upload without valid addresses', async () => {
    const known = ['ana@example.com']
    const server = serveCompany().answer(checkEmails, { added: 0, skipped: 1, invalid: 0, invalid_lines: [], known })
    const { list, user } = await open(server)
    await user.upload(list.getByLabelText('Import addresses'), file('old.txt', 'ana@example.com'))
    expect(await screen.findByText('No new emails found in uploaded file.')).toBeTruthy()
    await user.upload(list.getByLabelText('Import addresses'), file('picture.txt', '\u0089PNG\u0000\u0001'))
    expect(await screen.findByText('This is not a text file with email addresses.')).toBeTruthy()
    fill(list.getByLabelText('New address'), 'nobody')
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('No valid emails to upload.')).toBeTruthy()
  })

  it('finds nothing new in a file that is already waiting, and counts waiting addresses once', async () => {
    const server = serveCompany().answer(checkEmails, {
      added: 1,
      skipped: 0,
      invalid: 0,
      invalid_lines: [],
      known: [],
    })
    const { list, user } = await open(server)
    const importFile = (name: string, text: string) =>
      user.upload(list.getByLabelText('Import addresses'), file(name, text))
    await importFile('staff.txt', 'ana@example.com\nben@example.com')
    expect(await list.findByText('2 addresses to upload')).toBeTruthy()
    await importFile('staff.txt', 'ana@example.com\nben@example.com')
    expect(await screen.findByText('No new emails found in uploaded file.')).toBeTruthy()
    await importFile('more.txt', 'ben@example.com\ncleo@example.com')
    expect(
      await list.findByText('1 new address in more.txt, 1 already waiting. Select Upload to add them.'),
    ).toBeTruthy()
    expect(list.getByText('3 addresses to upload')).toBeTruthy()
    expect(bodyOf(server, checkEmails)).toMatchObject({ list: 'cleo@example.com' })
  })

  it('reads spreadsheet encodings: Windows-1252, and UTF-16 with a byte order mark', async () => {
    const server = serveCompany().answer(checkEmails, {
      added: 1,
      skipped: 0,
      invalid: 0,
      invalid_lines: [],
      known: [],
    })
    const { list, user } = await open(server)
    const bring = (bytes: Uint8Array<ArrayBuffer>) =>
      user.upload(list.getByLabelText('Import addresses'), new File([bytes], 'staff.csv', { type: 'text/csv' }))
    // 'José,jose@example.com' with é as one byte.
    await bring(oneByte('Jos\u00e9,jose@example.com\r\n'))
    await waitFor(() => expect(bodyOf(server, checkEmails)).toMatchObject({ list: 'jose@example.com' }))
    await bring(twoBytes('\ufeffana@example.com\r\n', 'little'))
    await waitFor(() => expect(bodyOf(server, checkEmails)).toMatchObject({ list: 'ana@example.com' }))
    await bring(twoBytes('\ufeffben@example.com', 'big'))
    await waitFor(() => expect(bodyOf(server, checkEmails)).toMatchObject({ list: 'ben@example.com' }))
    await bring(new TextEncoder().encode('\ufeffcl\u00e9o@example.com'))
    await waitFor(() => expect(bodyOf(server, checkEmails)).toMatchObject({ list: 'cl\u00e9o@example.com' }))
  })

  it('keeps an invalid address in the blank row when others are uploaded, and says so', async () => {
    const server = serveCompany().answer(uploadEmails, { added: 1, skipped: 0, invalid: 0, invalid_lines: [] })
    const { list, user } = await open(server)
    fill(list.getByLabelText('New address'), 'ana@example.com')
    await user.click(list.getByRole('button', { name: 'Add' }))
    fill(list.getByLabelText('New address'), 'ben@example')
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('Emails uploaded.')).toBeTruthy()
    expect(await screen.findByText('Invalid email format.')).toBeTruthy()
    expect(list.getByLabelText<HTMLInputElement>('New address').value).toBe('ben@example')
    expect(bodyOf(server, uploadEmails)).toEqual({ business_id: 1, list: 'ana@example.com' })
  })

  it('uploads the address in the blank row, and a long list in batches', async () => {
    const server = serveCompany()
      .answer(checkEmails, ({ body }) => ({
        added: body.list.split('\n').length,
        skipped: 0,
        invalid: 0,
        invalid_lines: [],
        known: [],
      }))
      .answer(uploadEmails, ({ body }) => ({
        added: body.list.split('\n').length,
        skipped: 0,
        invalid: 0,
        invalid_lines: [],
      }))
    const { list, user } = await open(server)
    fill(list.getByLabelText('New address'), ' Dan@Example.com')
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('1 added.')).toBeTruthy()
    expect(bodyOf(server, uploadEmails)).toEqual({ business_id: 1, list: 'dan@example.com' })
    await user.upload(list.getByLabelText('Import addresses'), file('all.txt', people(25_000).join('\n')))
    expect(await list.findByText('25,000 addresses to upload', {}, { timeout: 15_000 })).toBeTruthy()
    await user.click(list.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('25,000 added.', {}, { timeout: 15_000 })).toBeTruthy()
    expect(server.callCount(uploadEmails)).toBe(4)
  })
})

describe('reading a file', () => {
  it('finds addresses between commas, in quotes, brackets and settings, each once', async () => {
    const text = '"Ana" <Ana@Example.com>; ben@example.com\r\nSMTP_USER="ops@example.com"\nSECRET=abc\nBEN@example.com'
    expect(await readAddresses(text, () => undefined)).toEqual({
      addresses: ['ana@example.com', 'ben@example.com', 'ops@example.com'],
      repeated: 1,
      badLines: [3],
    })
  })
  it('takes no secret in a settings file for an address', async () => {
    const text = `DATABASE_URL=postgres://app:secret@db.example.com:5432/app
export SMTP_URL="smtps://ops:secret@mail.example.com:465"
ADMIN_PASSWORD=p@ss.word
ADMIN_EMAIL=ana@example.com # owner
emails=ben@example.com, cay@example.com`
    const { addresses, badLines } = await readAddresses(text, () => undefined)
    expect(addresses).toEqual(['ana@example.com', 'ben@example.com', 'cay@example.com'])
    expect(badLines).toEqual([1, 2, 3])
  })
  it('is not slowed down by hostile lines', async () => {
    const begun = performance.now()
    const { addresses, badLines } = await readAddresses(
      `${'a@'.repeat(60_000)}\n${'.'.repeat(100_000)}@`,
      () => undefined,
    )
    expect([addresses.length, badLines]).toEqual([0, [1, 2]])
    // A vulnerable pattern would take minutes.
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
  it('names only the first lines', () => {
    expect(linesText([4])).toBe('line 4')
    expect(linesText(Array.from({ length: 1010 }, (_, n) => n + 1))).toBe('lines 1, 2, 3, 4, 5, 6, 7, 8 and 1,002 more')
  })
})
