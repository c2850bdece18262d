import { listZones } from '@limber/contract/businesses/zones/zone.ts'
import {
  deactivateStretcher,
  listStretchers,
  onboardStretcher,
  promoteToStretcher,
  readStretcher,
  type StretcherDetail,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Stretchers from './stretchers.screen.tsx'

const path = '/worker/managing/stretchers'

const makeStretcher = (over: Partial<StretcherDetail> = {}): StretcherDetail => ({
  id: 4,
  userId: 31,
  firstName: 'Ivy',
  lastName: 'Ruiz',
  email: 'ivy.ruiz@example.com',
  zone: { id: 2, name: 'Riverside' },
  status: 'active',
  readiness: 'ready',
  hiredAt: '2026-01-05T17:00:00.000Z',
  training: { required: 3, completed: 2 },
  certifications: { valid: 2, expiring: 1, expired: 0, revoked: 0 },
  upcoming: { bookings: 2, onsite: 0, nextAt: '2026-12-02T18:00:00.000Z' },
  version: 5,
  dateOfBirth: '1994-05-17',
  trainedAt: '2026-02-01T17:00:00.000Z',
  deactivated: null,
  certificationList: [
    {
      id: 9,
      shortId: 'abcdefgh23456789',
      certificationName: 'Level 1',
      dateIssued: '2026-02-01',
      validUntil: '2026-12-01',
      status: 'valid',
    },
  ],
  requirements: {
    courses: [
      { id: 'hips', courseName: 'Hips and Legs', completedAt: '2026-01-20T17:00:00.000Z' },
      { id: 'care', courseName: 'Customer Care', completedAt: null },
    ],
    certifications: [
      {
        id: 3,
        certificationName: 'Level 1',
        state: 'expiring',
        validUntil: '2026-12-01',
        courses: [{ id: 'hips', courseName: 'Hips and Legs', completedAt: null }],
      },
    ],
  },
  sessions: [
    {
      kind: 'booking',
      id: 1,
      startsAt: '2026-12-02T18:00:00.000Z',
      endsAt: '2026-12-02T19:00:00.000Z',
      place: 'Riverside',
      businessId: null,
      lacks: null,
    },
  ],
  ...over,
})

const {
  dateOfBirth: _b,
  trainedAt: _t,
  deactivated: _d,
  certificationList: _c,
  requirements: _r,
  sessions: _s,
  ...row
} = makeStretcher()

function serverWith(stretcher = makeStretcher()) {
  const current = { stretcher, filters: [] as unknown[] }
  const server = new FakeServer()
    .answer(listZones, {
      zones: [
        { id: 2, name: 'Riverside', time_zone: 'America/Los_Angeles', version: 1, businesses: 0, stretchers: 1 },
        { id: 3, name: 'Corona', time_zone: 'America/Los_Angeles', version: 1, businesses: 0, stretchers: 0 },
      ],
      pagination: { page: 1, limit: 500, totalItems: 2, totalPages: 1 },
    })
    .answer(listStretchers, ({ query }) => {
      current.filters.push(query)
      return {
        stretchers: [row],
        pagination: { page: 1, limit: 25, totalItems: 1, totalPages: 1 },
        counts: { active: 1, in_training: 0, inactive: 0, not_certified: 0 },
      }
    })
    .answer(readStretcher, () => current.stretcher)
  return { server, current }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const bodies = (server: FakeServer, call: object) =>
  server.requests.filter((one) => one.call === call).map(({ body }) => body)

describe('zone filter', () => {
  it('offers all zones, even beyond the first page', async () => {
    const { server } = serverWith()
    server.answer(listZones, ({ query }) => ({
      zones: [
        {
          id: Number(query.page),
          name: `Zone of page ${query.page}`,
          time_zone: 'America/Los_Angeles',
          version: 1,
          businesses: 0,
          stretchers: 0,
        },
      ],
      pagination: { page: Number(query.page), limit: 1000, totalItems: 1001, totalPages: 2 },
    }))
    await renderScreen(<Stretchers />, { server, path })
    const zone = within(screen.getByLabelText('Zone'))
    expect(await zone.findByRole('option', { name: 'Zone of page 2' })).toBeTruthy()
    expect(zone.getByRole('option', { name: 'Zone of page 1' })).toBeTruthy()
  })
})

/** Shows the screen once its form has arrived. */
async function showForm(...args: Parameters<typeof renderScreen>) {
  const view = await renderScreen(...args)
  await screen.findByRole('button', { name: /^(Create Account|Promote User)$/ })
  return view
}

describe('adding a stretcher', () => {
  it('creates an account, shows the result and the progress on the button', async () => {
    const { server } = serverWith()
    let finish = () => {}
    const waiting = new Promise<void>((done) => {
      finish = done
    })
    server.answer(onboardStretcher, async () => {
      await waiting
      return {
        stretcher: { ...row, zone: null },
        enrolledCourses: 1,
        message: 'Stretcher account created successfully.',
      }
    })
    const { user, router } = await showForm(<Stretchers />, { server, path: `${path}?mode=create` })
    await user.type(field('First name'), 'Ivy')
    await user.type(field('Last name'), 'Ruiz')
    await user.type(field('Email'), 'ivy.ruiz@example.com')
    await user.type(field('Date of birth'), '1994-05-17')
    await user.click(button('Create Account'))
    expect(button('Creating...').disabled).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Promote Existing User' }).disabled).toBe(true)
    finish()
    expect((await screen.findByText(/^Stretcher account created successfully\./)).textContent).toBe(
      'Stretcher account created successfully. Enrolled in 1 required course. Next: assign a zone.',
    )
    expect(bodies(server, onboardStretcher)).toEqual([
      {
        firstName: 'Ivy',
        lastName: 'Ruiz',
        email: 'ivy.ruiz@example.com',
        dateOfBirth: '1994-05-17',
        needsTraining: true,
      },
    ])
    expect(field('First name').value).toBe('')
    await user.click(button('Open Ivy Ruiz'))
    expect(router.state.location.href).toBe(`${path}?stretcher=4`)
  })

  it('opens the form on demand, and asks before it discards what was typed', async () => {
    const { server } = serverWith()
    const { user, router } = await renderScreen(<Stretchers />, { server, path })
    expect(screen.queryByLabelText('First name')).toBeNull()
    await user.click(button('Add stretcher'))
    const dialog = await screen.findByRole('dialog', { name: 'Add a stretcher' })
    await user.type(await within(dialog).findByLabelText('First name'), 'Ivy')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(field('First name').value).toBe('Ivy')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(router.state.location.href).toBe(path))
    expect(screen.queryByRole('dialog', { name: 'Add a stretcher' })).toBeNull()
  })

  it('requires every field before sending', async () => {
    const { server } = serverWith()
    const { user } = await showForm(<Stretchers />, { server, path: `${path}?mode=create` })
    await user.click(button('Create Account'))
    expect(screen.getByText('First name is required.')).toBeTruthy()
    expect(screen.getByText('Date of birth is required.')).toBeTruthy()
    expect(server.callCount(onboardStretcher)).toBe(0)
  })

  it('clears fields and messages and resets Requires Training when the mode changes', async () => {
    const { server } = serverWith()
    server.answer(promoteToStretcher, new Refusal(404, 'no_user', 'There is no user with this email.'))
    const { user } = await showForm(<Stretchers />, { server, path: `${path}?mode=create` })
    await user.type(field('First name'), 'Ivy')
    await user.click(screen.getByRole('checkbox', { name: /Requires Training/ }))
    await user.click(screen.getByRole('radio', { name: 'Promote Existing User' }))
    expect(screen.queryByLabelText('First name')).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Requires Training/ }).checked).toBe(true)
    await user.type(field('Email'), 'nobody@example.com')
    await user.click(button('Promote User'))
    expect((await screen.findByRole('alert')).textContent).toContain('There is no user with this email.')
    expect(field('Email').value).toBe('nobody@example.com')
    await user.click(screen.getByRole('radio', { name: 'Create New Stretcher' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field('First name').value).toBe('')
    expect(field('Email').value).toBe('')
  })

  it('shows a default message when the server sends none', async () => {
    const { server } = serverWith()
    const { user } = await showForm(<Stretchers />, { server, path: `${path}?mode=promote` })
    await screen.findByText('Ivy Ruiz')
    await user.type(field('Email'), 'ivy@example.com')
    server.isDown = true
    await user.click(button('Promote User'))
    const alert = await screen.findByRole('alert', undefined, { timeout: 10_000 })
    expect(alert.textContent).toBe('Failed to process request')
  })
})

describe('stretcher list', () => {
  it('shows zone, training, certifications and upcoming sessions, and keeps filters in the URL', async () => {
    const { server, current } = serverWith()
    const { user, router } = await renderScreen(<Stretchers />, { server, path })
    const line = (await screen.findByText('Ivy Ruiz')).closest('tr')
    expect(line?.textContent).toMatch(/Riverside.*Active.*2 of 3.*2 valid1 expires soon.*2 bookings/)
    await user.click(screen.getByRole('button', { name: /In training/ }))
    await user.selectOptions(screen.getByLabelText('Zone'), 'Corona')
    await user.type(screen.getByLabelText('Search stretchers'), 'ivy')
    await waitFor(() => expect(router.state.location.href).toBe(`${path}?status=in_training&zone=3&q=ivy`))
    await waitFor(() =>
      expect(current.filters.at(-1)).toMatchObject({ status: 'in_training', zone: 3, search: 'ivy', page: 1 }),
    )
  })
})

describe('stretcher panel', () => {
  it('warns about on-site sessions until a colleague reassigns them', async () => {
    const { server, current } = serverWith()
    const upcoming = { ...current.stretcher.upcoming, onsite: 2 }
    current.stretcher = makeStretcher({ readiness: 'not_certified', upcoming })
    await renderScreen(<Stretchers />, { server, path: `${path}?stretcher=4` })
    expect(await screen.findByText(/2 on-site sessions need another stretcher\.$/)).toBeTruthy()
    current.stretcher = makeStretcher({ readiness: 'not_certified' })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"businesses"}' }))
    await waitFor(() => expect(screen.queryByText(/need another stretcher/)).toBeNull())
  })
  it('names what is missing for sessions, and says so before the training ends', async () => {
    const { server } = serverWith(makeStretcher({ status: 'in_training', readiness: 'in_training' }))
    const { user } = await renderScreen(<Stretchers />, { server, path: `${path}?stretcher=4` })
    const part = await screen.findByRole('region', { name: 'Required for sessions' })
    expect(within(part).getByText('1 of 3 missing')).toBeTruthy()
    const lines = within(part).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent)).toEqual([
      'Hips and LegsCompleted Jan 20',
      'Customer CareNot completed',
      'Level 1Expires Dec 1, needs Hips and LegsIssue',
    ])
    expect(within(part).getByRole('link', { name: 'Issue Level 1' }).getAttribute('href')).toBe(
      '/certifications?view=create&user=31&type=3',
    )
    await user.click(screen.getByRole('button', { name: 'Finish training' }))
    const dialog = await screen.findByRole('dialog', { name: 'Finish training for Ivy Ruiz?' })
    expect(within(dialog).getByText(/^Not completed: Customer Care\. They become active/)).toBeTruthy()
  })
  it('names the consequences and requires a reason to deactivate', async () => {
    const { server, current } = serverWith()
    server.answer(deactivateStretcher, () => {
      current.stretcher = makeStretcher({ status: 'inactive', readiness: 'inactive' })
      return { stretcher: current.stretcher, releasedBookings: 2 }
    })
    const { user } = await renderScreen(<Stretchers />, { server, path: `${path}?stretcher=4` })
    await user.click(await screen.findByRole('button', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate Ivy Ruiz?' })
    expect(within(dialog).getByText('2 bookings will become unassigned.')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
    expect(server.callCount(deactivateStretcher)).toBe(0)
    await user.type(within(dialog).getByLabelText('Reason'), 'Moved away')
    await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText('Ivy Ruiz deactivated.')).toBeTruthy()
    expect(bodies(server, deactivateStretcher)).toEqual([{ reason: 'Moved away', bookings: 2, version: 5 }])
    expect(await screen.findByRole('button', { name: 'Activate' })).toBeTruthy()
  })

  it('shows both versions after a conflict and saves the selected one', async () => {
    const { server, current } = serverWith()
    const theirs = makeStretcher({ lastName: 'Ruiz-Moss', version: 6 })
    server.answer(updateStretcher, ({ body }) => {
      if (body.version !== 6)
        return new Refusal(409, 'stale', 'Someone else changed this stretcher. Reload and try again.', {
          current: theirs,
        })
      current.stretcher = makeStretcher({ firstName: body.firstName, lastName: body.lastName, version: 7 })
      return current.stretcher
    })
    const { user } = await renderScreen(<Stretchers />, { server, path: `${path}?stretcher=4` })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const form = await screen.findByRole('dialog', { name: 'Edit Ivy Ruiz' })
    const first = within(form).getByLabelText('First name')
    await user.clear(first)
    await user.type(first, 'Ivana')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const conflict = await screen.findByRole('dialog', { name: 'Someone else changed Ivy Ruiz' })
    const line = within(conflict).getByRole('rowheader', { name: 'Last name' }).closest('tr')
    expect([...(line?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).toEqual([
      'Ruiz',
      'Ruiz-Moss',
      'Ruiz-Moss',
    ])
    await user.click(within(conflict).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Ivana Ruiz-Moss saved.')).toBeTruthy()
    expect(bodies(server, updateStretcher).at(-1)).toMatchObject({
      firstName: 'Ivana',
      lastName: 'Ruiz-Moss',
      zoneId: 2,
      version: 6,
    })
  })
})
