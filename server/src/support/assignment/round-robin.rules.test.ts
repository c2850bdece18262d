import { describe, expect, it } from 'vitest'
import { type FreeTicket, isInView, nextTaker, showsFree, type Taker, type ViewFilter } from './round-robin.rules.ts'

const all: ViewFilter = { queue: null, status: null, priority: null, kind: null, assignee: null, tag_id: null }
const ticket: FreeTicket = {
  id: 1,
  status: 'open',
  priority: 'medium',
  kind: 'refund',
  tags: [4],
  waiting_since: new Date('2026-11-17T10:00:00Z'),
  is_due_soon: false,
}

describe('a view', () => {
  it.each<[boolean, Partial<ViewFilter>, Partial<FreeTicket>]>([
    [true, {}, {}],
    [true, { queue: 'unassigned', assignee: 'none' }, {}],
    [true, { queue: 'waiting' }, {}],
    [false, { queue: 'waiting' }, { waiting_since: null }],
    [false, { queue: 'breaching' }, {}],
    [true, { queue: 'breaching' }, { is_due_soon: true }],
    [false, { queue: 'high' }, {}],
    [true, { queue: 'high' }, { priority: 'high' }],
    [false, { queue: 'mine' }, {}],
    [false, { queue: 'snoozed' }, {}],
    [false, { assignee: 'me' }, {}],
    [false, { assignee: '7' }, {}],
    [false, { status: 'in_progress' }, {}],
    [false, { status: 'closed' }, { status: 'closed' }],
    [true, { status: 'open', kind: 'refund', priority: 'medium', tag_id: 4 }, {}],
    [false, { kind: 'question' }, {}],
    [false, { priority: 'low' }, {}],
    [false, { tag_id: 5 }, {}],
  ])('contains a free ticket (%j): %j %j', (expected, view, more) => {
    expect(isInView({ ...ticket, ...more }, { ...all, ...view })).toBe(expected)
  })
  it('of someone shows no free tickets', () => {
    expect([showsFree(all), showsFree({ ...all, assignee: '3' })]).toEqual([true, false])
  })
})

describe('the next worker', () => {
  const taker = (id: number, load: number, minute: number | null): Taker => ({
    id,
    name: `Worker ${id}`,
    load,
    lastAt: minute === null ? null : new Date(Date.UTC(2026, 10, 17, 10, minute)),
  })
  it.each<[number | undefined, Taker[]]>([
    [undefined, []],
    [2, [taker(1, 3, null), taker(2, 1, 5)]],
    [1, [taker(2, 1, 5), taker(1, 1, 4)]],
    [3, [taker(2, 1, 5), taker(3, 1, null)]],
    [1, [taker(2, 1, null), taker(1, 1, null)]],
    [undefined, [taker(1, 5, null), taker(2, 9, null)]],
  ])('is %s', (expected, takers) => {
    expect(nextTaker(takers, 5)?.id).toBe(expected)
  })
})
