// @module-tag slow
import type { TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { describe, expect, it } from 'vitest'
import { changedText, refusedText, undoCalls } from './bulk-change-text.ts'
import { idsBetween } from './list/selection.ts'
import { makeTicket } from './ticket.testing.ts'

describe('the result of a bulk change', () => {
  it.each<[string, TicketChange, number]>([
    ['12 tickets closed', { status: 'closed' }, 12],
    ['1 ticket set to Open', { status: 'open' }, 1],
    ['2 tickets set to In Progress', { status: 'in_progress' }, 2],
    ['2 tickets set to high priority', { priority: 'high' }, 2],
    ['3 tickets assigned to Dana Whitfield', { workerId: 8 }, 3],
    ['3 tickets unassigned', { workerId: null }, 3],
  ])('is worded as %s', (words, change, count) => {
    expect(changedText(change, count, 'Dana Whitfield')).toBe(words)
  })

  it('names refused tickets by reason, at most five each', () => {
    const stale = Array.from({ length: 7 }, (_, n) => ({ id: n + 1, subject: `Late ${n + 1}`, why: 'Reload.' }))
    const gone = { id: 9, subject: '', why: 'It does not exist.' }
    expect(refusedText([...stale, gone])).toBe(
      '#1 Late 1, #2 Late 2, #3 Late 3, #4 Late 4, #5 Late 5 and 2 more: Reload. #9: It does not exist.',
    )
  })
})

describe('undoing a bulk change', () => {
  const before = [
    makeTicket({ id: 1, status: 'open', priority: 'low', assignee: null }),
    makeTicket({ id: 2, status: 'in_progress', priority: 'low', assignee: { id: 8, name: 'Dana' } }),
    makeTicket({ id: 3, status: 'open', priority: 'high', assignee: { id: 8, name: 'Dana' } }),
    makeTicket({ id: 4, status: 'closed' }),
  ]
  const reply = { changed: 3, refused: [], tickets: [1, 2, 3].map((id) => ({ id, version: id + 10 })) }
  const seen = (...ids: number[]) => ids.map((id) => ({ id, version: id + 10 }))
  it.each<[TicketChange, object[]]>([
    [
      { status: 'closed' },
      [
        { tickets: seen(1, 3), change: { status: 'open' } },
        { tickets: seen(2), change: { status: 'in_progress' } },
      ],
    ],
    [
      { priority: 'medium' },
      [
        { tickets: seen(1, 2), change: { priority: 'low' } },
        { tickets: seen(3), change: { priority: 'high' } },
      ],
    ],
    [
      { workerId: 7 },
      [
        { tickets: seen(1), change: { workerId: null } },
        { tickets: seen(2, 3), change: { workerId: 8 } },
      ],
    ],
  ])('restores each previous value after %j and no other ticket', (change, expected) => {
    expect(undoCalls(before, change, reply)).toEqual(expected)
  })
})

it.each([
  ['down', 20, 40, [20, 30, 40]],
  ['up', 40, 20, [20, 30, 40]],
  ['to itself', 30, 30, [30]],
  ['from nowhere', undefined, 30, [30]],
  ['from a ticket that left the page', 99, 30, [30]],
])('selects a range %s', (_, from, to, expected) => {
  expect(idsBetween([10, 20, 30, 40], from, to)).toEqual(expected)
})
