// @module-tag slow
import {
  type Certification,
  createCertification,
  deleteCertification,
  findHolders,
  listCertifications,
  listDueCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import {
  type CertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from '@limber/contract/certifications/type.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { now } from '#platform/clock.ts'
import { FakeServer, Refusal, renderScreen, withoutCurrentYear } from '#platform/testing/testing.tsx'
import Certifications from './certifications.screen.tsx'

const path = '/certifications'

const makeCertification = (over: Partial<Certification> = {}): Certification => ({
  id: 12,
  shortId: 'abcdefgh23456789',
  user_id: 31,
  userId: 31,
  userName: 'Maya Chen',
  userEmail: 'maya.chen@example.com',
  certificationTypeId: 3,
  certificationName: 'Level 1',
  name: 'Maya Chen',
  instructor: 'Ines Park',
  dateIssued: '2026-03-02',
  validUntil: '2028-03-02',
  status: 'valid',
  revoked: null,
  openedAt: null,
  issuedBy: 'Marcus Bell',
  verificationUrl: 'https://limber.example.com/verify/abcdefgh23456789',
  version: 1,
  ...over,
})

const makeType = (over: Partial<CertificationType> = {}): CertificationType => ({
  courses: [],
  id: 3,
  certificationName: 'Level 1',
  description: '',
  validMonths: 24,
  isRequired: true,
  isRetired: false,
  certifications: 4,
  valid: 2,
  version: 1,
  ...over,
})

function serverWith(certification = makeCertification()) {
  const current = { certification }
  const server = new FakeServer()
    .answer(listCertifications, () => ({
      certifications: [current.certification],
      pagination: { page: 1, limit: 25, totalItems: 1, totalPages: 1 },
      counts: { valid: 1, expiring: 0, expired: 2, revoked: 0 },
    }))
    .answer(listDueCertifications, { due: [], renewals: [] })
    .answer(readCertification, () => current.certification)
    .answer(findHolders, ({ query }) => ({
      holders:
        query.search === '31' || 'maya chen'.startsWith(query.search.toLowerCase())
          ? [{ id: 31, name: 'Maya Chen', email: 'maya.chen@example.com', isStretcher: true }]
          : [],
    }))
    .answer(listCertificationTypes, {
      types: [makeType(), makeType({ id: 4, certificationName: 'Old', isRetired: true, isRequired: false })],
      courses: [{ id: 'hips', courseName: 'Hips and Legs' }],
    })
  return { server, current }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const bodies = (server: FakeServer, call: object) =>
  server.requests.filter((one) => one.call === call).map(({ body }) => body)

const today = companyDay(now())
const renewal = {
  certificationId: 12,
  userId: 31,
  userName: 'Maya Chen',
  certificationTypeId: 3,
  certificationName: 'Level 1',
  isRequired: true,
}

describe('certifications that need a decision', () => {
  it('come first: lapsed required ones, then those to issue, then those that expire', async () => {
    const { server } = serverWith()
    server.answer(listDueCertifications, {
      due: [
        {
          userId: 40,
          userName: 'Iván Cruz',
          certificationTypeId: 3,
          certificationName: 'Level 1',
          completedAt: '2026-11-10T10:00:00.000Z',
        },
      ],
      renewals: [
        { ...renewal, validUntil: addDays(today, -2) },
        { ...renewal, certificationId: 13, userId: 32, userName: 'Ana Quiroga', validUntil: addDays(today, 1) },
        // Can be issued, so it is not listed again.
        { ...renewal, certificationId: 14, userId: 40, userName: 'Iván Cruz', validUntil: addDays(today, 9) },
      ],
    })
    const { user, router } = await renderScreen(<Certifications />, { server, path })
    const list = await screen.findByRole('list', { name: 'Certifications to decide about' })
    const items = within(list).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Level 1 of Maya Chen lapsed on .*Required: no on-site session can be scheduled until/),
      expect.stringMatching(/^Level 1 can be issued to Iván Cruz.*All courses completed on/),
      expect.stringMatching(/^Level 1 of Ana Quiroga expires tomorrow.*Required/),
    ])
    await user.click(within(list).getByRole('button', { name: 'Renew Level 1 of Maya Chen' }))
    expect(router.state.location.search).toEqual({ view: 'create', user: '31', type: '3' })
  })

  it('say that nothing is open, and count the types with a filter for each', async () => {
    const { server } = serverWith()
    const { user, router } = await renderScreen(<Certifications />, { server, path })
    expect(await screen.findByText(/^No certification of a stretcher lapsed/)).toBeTruthy()
    const table = within(await screen.findByRole('table', { name: 'Certifications by type' }))
    expect(table.queryByText('Old')).toBeNull()
    await user.click(table.getByRole('button', { name: '2' }))
    expect(router.state.location.search).toEqual({ type: '3', status: 'valid' })
  })

  it('fail alone', async () => {
    const { server } = serverWith()
    server.answer(listDueCertifications, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<Certifications />, { server, path })
    expect(
      await screen.findByText("Couldn't load the certifications to decide about", undefined, { timeout: 10_000 }),
    ).toBeTruthy()
    expect(screen.getByRole('table', { name: 'Certifications' })).toBeTruthy()
  })
})

describe('certification list', () => {
  it('shows columns and row actions, and opens and closes the details', async () => {
    const { server } = serverWith()
    const { user, router } = await renderScreen(<Certifications />, { server, path })
    const table = await screen.findByRole('table', { name: 'Certifications' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Short ID', 'User', 'Type', 'Name', 'Instructor', 'Valid until', 'Status', 'Actions'])
    await user.click(await screen.findByRole('button', { name: 'View' }))
    const card = await screen.findByRole('region', { name: 'Certification Details' })
    for (const text of ['abcdefgh23456789', '31', '3', 'Ines Park', withoutCurrentYear('Mar 2, 2026')])
      expect(card.textContent).toContain(text)
    const link = within(card).getByRole<HTMLAnchorElement>('link', { name: /verify/ })
    expect(link.href).toBe('https://limber.example.com/verify/abcdefgh23456789')
    expect(router.state.location.href).toBe(`${path}?certification=12`)
    await user.click(button('Back to List'))
    expect(await screen.findByRole('table', { name: 'Certifications' })).toBeTruthy()
  })

  it('shows an error when the list fails to load', async () => {
    const { server } = serverWith()
    server.answer(listCertifications, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<Certifications />, { server, path })
    expect(
      await screen.findByText('Error: Failed to fetch certifications', undefined, { timeout: 10_000 }),
    ).toBeTruthy()
  })

  it('shows an error in the filter when the types fail to load', async () => {
    const { server } = serverWith()
    server.answer(listCertificationTypes, new Refusal(503, 'unavailable', 'The service is briefly unavailable.'))
    await renderScreen(<Certifications />, { server, path })
    const option = { name: 'Error: Failed to fetch certification types' }
    expect(await screen.findByRole('option', option, { timeout: 10_000 })).toBeTruthy()
  })

  it.each([path, `${path}?certification=12`])('shows at %s why the deletion failed', async (at) => {
    const { server } = serverWith()
    const drop = async (user: Awaited<ReturnType<typeof renderScreen>>['user']) => {
      await user.click(await screen.findByRole('button', { name: 'Delete' }))
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    }
    server.answer(deleteCertification, new Refusal(404, 'not_found', 'This certification does not exist.'))
    const { user } = await renderScreen(<Certifications />, { server, path: at })
    await drop(user)
    expect(await screen.findByText('Error: This certification does not exist.')).toBeTruthy()
    server.answer(deleteCertification, () => {
      throw new TypeError('fetch failed')
    })
    await drop(user)
    expect(await screen.findByText('Error: Failed to delete certification', {}, { timeout: 10_000 })).toBeTruthy()
  })

  it('asks for confirmation and says that an opened certification is revoked instead', async () => {
    const { server } = serverWith(makeCertification({ openedAt: '2026-04-01T10:00:00.000Z' }))
    server.answer(deleteCertification, { id: 12, outcome: 'revoked' })
    const { user } = await renderScreen(<Certifications />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog', {
      name: 'Are you sure you want to delete this certification?',
    })
    expect(question.textContent).toContain('revoked instead')
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Certification revoked.')).toBeTruthy()
  })
})

describe('certification form', () => {
  it('finds the user by name, fills in the name, and issues the certification', async () => {
    const { server } = serverWith()
    server.answer(createCertification, () => makeCertification())
    const { user, router } = await renderScreen(<Certifications />, { server, path })
    await user.click(await screen.findByRole('button', { name: 'Add New Certification' }))
    await user.click(await screen.findByRole('button', { name: 'Create' }))
    for (const label of ['User ID', 'Certification Type', 'Name', 'Instructor'])
      expect(await screen.findByText(`${label} is required.`)).toBeTruthy()
    expect(server.callCount(createCertification)).toBe(0)
    await user.type(screen.getByLabelText('User ID'), 'maya')
    await user.click(await screen.findByRole('button', { name: /^Maya Chen/ }))
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Maya Chen')
    const types = screen.getByLabelText<HTMLSelectElement>('Certification Type')
    expect([...types.options].map((option) => option.text)).toEqual(['Select a type', 'Level 1'])
    await user.selectOptions(types, 'Level 1')
    await user.type(screen.getByLabelText('Instructor'), 'Ines Park')
    await user.click(button('Create'))
    expect(await screen.findByText('Certification issued.')).toBeTruthy()
    expect(bodies(server, createCertification)).toEqual([
      { userId: 31, certificationTypeId: 3, name: 'Maya Chen', instructor: 'Ines Park' },
    ])
    await waitFor(() => expect(router.state.location.href).toBe(path))
  })

  it('keeps the input after a failed save and shows the reason', async () => {
    const { server } = serverWith()
    server.answer(createCertification, new Refusal(422, 'no_user', 'There is no user with this ID.'))
    const { user } = await renderScreen(<Certifications />, { server, path: `${path}?view=create&user=31` })
    await screen.findByRole('option', { name: 'Level 1' })
    await user.selectOptions(screen.getByLabelText('Certification Type'), 'Level 1')
    // The name is filled in from the user in the URL.
    const name = screen.getByLabelText<HTMLInputElement>('Name')
    expect(name.value).toBe('Maya Chen')
    await user.clear(name)
    await user.type(name, 'Maya')
    await user.type(screen.getByLabelText('Instructor'), 'Ines')
    await user.click(button('Create'))
    expect((await screen.findByRole('alert')).textContent).toBe('Error: There is no user with this ID.')
    server.isDown = true
    await user.click(button('Create'))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Error: Failed to save certification'), {
      timeout: 10_000,
    })
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Maya')
    await user.click(button('Cancel'))
    expect(await screen.findByText('Each has a public page where anyone can verify it.')).toBeTruthy()
  })

  it('shows both versions after a conflict', async () => {
    const { server } = serverWith()
    const theirs = makeCertification({ instructor: 'Ravi Menon', version: 2 })
    server.answer(updateCertification, ({ body }) =>
      body.version === 2
        ? makeCertification({ name: body.name, instructor: body.instructor, version: 3 })
        : new Refusal(409, 'stale', 'Someone else changed this certification. Reload and try again.', {
            current: theirs,
          }),
    )
    const { user } = await renderScreen(<Certifications />, { server, path: `${path}?certification=12&view=edit` })
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'M. Chen')
    await user.click(button('Update'))
    const conflict = await screen.findByRole('dialog', { name: 'Someone else changed this certification' })
    await user.click(within(conflict).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Certification saved.')).toBeTruthy()
    expect(bodies(server, updateCertification).at(-1)).toMatchObject({
      name: 'M. Chen',
      instructor: 'Ravi Menon',
      version: 2,
    })
  })
})

describe('certification details', () => {
  it('asks before the public page is opened for the first time only', async () => {
    const opened = vi.fn()
    vi.stubGlobal('open', opened)
    const { server, current } = serverWith()
    const at = `${path}?certification=12`
    const { user, unmount } = await renderScreen(<Certifications />, { server, path: at })
    const link = async () => screen.findByRole<HTMLAnchorElement>('link', { name: /verify/ })
    const answer = async (verb: string) => {
      const question = await screen.findByRole('alertdialog', { name: 'Open the public page?' })
      await user.click(within(question).getByRole('button', { name: verb }))
    }
    await user.click(await link())
    await answer('Cancel')
    expect(opened).not.toHaveBeenCalled()
    await user.click(await link())
    await answer('Open')
    await waitFor(() =>
      expect(opened).toHaveBeenCalledWith(current.certification.verificationUrl, '_blank', 'noopener,noreferrer'),
    )
    unmount()
    current.certification = makeCertification({ openedAt: '2026-04-01T10:00:00.000Z' })
    await renderScreen(<Certifications />, { server, path: at })
    let wasHeldBack = true
    const follow = (event: Event) => {
      wasHeldBack = event.defaultPrevented
      event.preventDefault()
    }
    document.addEventListener('click', follow, { once: true })
    await user.click(await link())
    expect(wasHeldBack).toBe(false)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('revokes with a reason', async () => {
    const { server, current } = serverWith()
    server.answer(revokeCertification, ({ body }) => {
      current.certification = makeCertification({
        status: 'revoked',
        revoked: { at: '2026-11-14T10:00:00.000Z', reason: body.reason, by: 'Priya Raman' },
        version: 2,
      })
      return current.certification
    })
    const { user } = await renderScreen(<Certifications />, { server, path: `${path}?certification=12` })
    await user.click(await screen.findByRole('button', { name: 'Revoke' }))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke this certification?' })
    await user.type(within(dialog).getByLabelText('Reason'), 'A mistake')
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    expect((await screen.findByText(/^Revoked by Priya Raman/)).textContent).toContain('A mistake')
    expect(bodies(server, revokeCertification)).toEqual([{ reason: 'A mistake', version: 1 }])
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })
})

describe('certification types', () => {
  it('shows the refusal when a type came into use before its deletion', async () => {
    const { server } = serverWith()
    server.answer(listCertificationTypes, { types: [makeType({ certifications: 0, valid: 0 })], courses: [] })
    const message = 'This type is used by 4 certifications and cannot be deleted. Retire it instead.'
    server.answer(deleteCertificationType, new Refusal(409, 'in_use', message))
    const { user } = await renderScreen(<Certifications />, { server, path: `${path}?view=types` })
    const line = (await screen.findByText('Required')).closest('tr')
    await user.click(within(line as HTMLElement).getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect((await screen.findByRole('alert')).textContent).toContain(message)
  })

  it('offers to retire, not delete, a type in use', async () => {
    const { server } = serverWith()
    server.answer(updateCertificationType, makeType({ isRetired: true, version: 2 }))
    const { user } = await renderScreen(<Certifications />, { server, path: `${path}?view=types` })
    const line = (await screen.findByText('Required')).closest('tr') as HTMLElement
    expect(within(line).queryByRole('button', { name: 'Delete' })).toBeNull()
    await user.click(within(line).getByRole('button', { name: 'Retire' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Retire' }))
    expect(await screen.findByText('“Level 1” retired.')).toBeTruthy()
    expect(bodies(server, updateCertificationType)).toMatchObject([{ isRetired: true, isRequired: true, version: 1 }])
  })
})
