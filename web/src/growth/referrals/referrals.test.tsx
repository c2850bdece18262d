import { permissionNames } from '@limber/contract/access/permissions.ts'
import {
  listReferrals,
  type ReferralDetail,
  readReferral,
  readReferrals,
  reviewReferral,
} from '@limber/contract/growth/referrals/referral.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FakeEventSource, FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Referrals from './referrals.screen.tsx'

const path = '/growth/referrals'
const referral: ReferralDetail = {
  userId: 41,
  name: 'Quill Ashby',
  email: 'quill@example.com',
  joinedAt: '2026-11-02T10:00:00.000Z',
  kind: 'user',
  referrer: { id: 9, name: 'Ottilie Marsh', userId: 9 },
  state: 'converted',
  bookedAt: '2026-11-03T10:00:00.000Z',
  convertedAt: '2026-11-05T10:00:00.000Z',
  earnings: 80.5,
  reasons: ['same_phone'],
  review: null,
  events: [{ at: '2026-11-02T10:00:00.000Z', kind: 'joined', amount: null, by: null, note: null }],
}

const serveReferrals = () =>
  new FakeServer()
    .answer(readReferrals, {
      stats: {
        total_users: 1000,
        natural_growth: 700,
        stretcher_commission: 100,
        worker_commission: 50,
        user_commission: 150,
        pending_referrals: 120,
        converted_referrals: 180,
        total_earnings: 12_345.5,
        stored_earnings: 300,
        redeemable_referrals: 7,
        top_referrer_count: 12,
        top_earner_total: 940.25,
        referrals_with_bookings: { stretcher: 61, worker: 22, user: 98 },
      },
      toReview: 1,
      refreshedAt: '2026-11-16T16:58:00.000Z',
    })
    .answer(listReferrals, { referrals: [referral], pagination: paginate(1, 10, 1) })
    .answer(readReferral, referral)
    .answer(reviewReferral, ({ body }) => ({
      ...referral,
      review: {
        id: 3,
        decision: body.decision,
        reason: body.reason,
        by: 'Priya Raman',
        at: '2026-11-16T17:00:00.000Z',
      },
    }))

describe('Referral Analytics', () => {
  it('shows every figure and the time of the last refresh', async () => {
    await renderScreen(<Referrals />, { server: serveReferrals(), path })
    expect(await screen.findByText('Natural Growth')).toBeTruthy()
    const all = document.body.textContent ?? ''
    for (const words of [
      'Total Users1,000',
      'Natural Growth700',
      'Stretcher Refs100',
      'Worker Refs50',
      'User Refs150',
      'Pending Referrals120',
      'Converted Referrals180',
      'Total Earnings$12,345.50',
      'Stored Earnings$300.00',
      'Redeemable Referrals7',
      'Top Referrer12',
      'Top Earner$940.25',
      'Stretcher Referral Bookings61',
      'Worker Referral Bookings22',
      'User Referral Bookings98',
    ])
      expect(all).toContain(words)
    expect(all).toMatch(/Last refreshed: (?!Never)/)
  })

  it('shows that it was never refreshed while loading, and the error when it fails', async () => {
    const server = serveReferrals().answer(readReferrals, new Refusal(404, 'gone', 'It is gone.'))
    await renderScreen(<Referrals />, { server, path, session: makeSession(['growth.tab']) })
    expect(document.body.textContent).toContain('Last refreshed: Never')
    expect(await screen.findByText('Error 404: Not Found')).toBeTruthy()
  })

  it('reloads with Refresh', async () => {
    const { server, user } = await renderScreen(<Referrals />, { server: serveReferrals(), path })
    await screen.findByText('Natural Growth')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(server.callCount(readReferrals)).toBe(2))
  })

  it('shows people only to workers with permission', async () => {
    const session = makeSession(permissionNames.filter((name) => name !== 'growth.people'))
    const { server } = await renderScreen(<Referrals />, { server: serveReferrals(), path, session })
    await screen.findByText('Natural Growth')
    expect(screen.queryByRole('tab', { name: /To review/ })).toBeNull()
    expect(screen.queryByText('Held for review')).toBeNull()
    expect(server.callCount(listReferrals)).toBe(0)
  })

  it('shows first what is held, with its reasons, and decides it with one press', async () => {
    const { server, user, router } = await renderScreen(<Referrals />, { server: serveReferrals(), path })
    const list = within(await screen.findByRole('list', { name: 'Referrals held for review' }))
    const item = list.getByRole('listitem')
    expect(item.textContent).toContain('Quill Ashby, referred by Ottilie Marsh')
    expect(item.textContent).toContain('Same phone. Shares a phone number with the referrer')
    expect(item.textContent).toContain('Converted, $80.50 paid so far.')
    await user.click(list.getByRole('button', { name: 'Approve the referral of Quill Ashby' }))
    expect(await screen.findByText('Approved: Quill Ashby')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === reviewReferral)?.body).toEqual({
      decision: 'approved',
      reason: 'Decided from the list, held for: same phone.',
      seenReview: null,
    })
    await user.click(screen.getByRole('button', { name: 'Change' }))
    expect(router.state.location.search).toEqual({ referral: '41' })
  })

  it('says why a decision from the list failed, and that nothing is held', async () => {
    const server = serveReferrals().answer(reviewReferral, new Refusal(409, 'stale', 'Someone else decided.'))
    const { user } = await renderScreen(<Referrals />, { server, path })
    server.answer(listReferrals, { referrals: [], pagination: paginate(1, 10, 0) })
    await user.click(await screen.findByRole('button', { name: 'Reject the referral of Quill Ashby' }))
    expect(await screen.findByText('Someone else decided.')).toBeTruthy()
    expect(await screen.findByText(/^No referral is held\./)).toBeTruthy()
  })

  it('records a decision about a suspicious referral, with the last decision seen', async () => {
    const { server, user, router } = await renderScreen(<Referrals />, { server: serveReferrals(), path })
    await user.click(await screen.findByRole('tab', { name: /To review/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ view: 'review' }))
    await user.click(await screen.findByRole('button', { name: 'Quill Ashby' }))
    const dialog = await screen.findByRole('dialog', { name: 'Quill Ashby' })
    for (const [name, id] of [
      ['Quill Ashby', 41],
      ['Ottilie Marsh', 9],
    ])
      expect((await within(dialog).findByRole('link', { name: String(name) })).getAttribute('href')).toBe(
        `/support/users?user=${id}`,
      )
    await user.selectOptions(await within(dialog).findByLabelText('Decision'), 'rejected')
    await user.type(within(dialog).getByLabelText('Reason'), 'One person')
    await user.click(within(dialog).getByRole('button', { name: 'Save decision' }))
    await waitFor(() =>
      expect(server.requests.find(({ call }) => call === reviewReferral)?.body).toEqual({
        decision: 'rejected',
        reason: 'One person',
        seenReview: null,
      }),
    )
  })

  it('keeps the typed reason when another worker decides first, and shows that decision', async () => {
    const { server, user } = await renderScreen(<Referrals />, {
      server: serveReferrals(),
      path: `${path}?referral=41`,
    })
    const dialog = within(await screen.findByRole('dialog', { name: 'Quill Ashby' }))
    await user.type(await dialog.findByLabelText('Reason'), 'I know both')
    const review = { id: 8, decision: 'rejected', reason: 'One card', by: 'Robin Vale', at: referral.joinedAt } as const
    server.answer(readReferral, { ...referral, review })
    act(() => FakeEventSource.last.onmessage?.({ data: '{"topic":"growth"}' }))
    expect(await dialog.findByText(/^Robin Vale has decided since: Rejected/)).toBeTruthy()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('I know both')
  })
})
