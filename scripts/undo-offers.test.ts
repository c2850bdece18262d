import { calls } from '@limber/contract/calls.ts'
import { expect, it } from 'vitest'
import { undoList } from '../server/src/undo-list.ts'
import { nameOf } from '../server/src/undo-table.ts'
import { constantsOf, readWeb } from './web-changes.testing.ts'

/** Places that change something undoable without the message of `toastUndo`, each with the reason. */
const without: Readonly<Record<string, string>> = {
  'web/src/support/tickets/list/use-bulk-change.ts': 'Undo of many tickets also says which ones changed since.',
}

const OFFER = /\b(toastUndo|succeed)\(/

it('each place that makes an undoable change offers Undo in its message', () => {
  const names = new Set(calls.map(nameOf).filter((name) => undoList.get(name)?.by === 'history'))
  const undoable = new Set(constantsOf(names).values())
  expect(undoable.size).toBe(names.size)
  const web = readWeb()
  const places = web.placesOf(undoable)
  expect(places.length).toBeGreaterThan(40)
  const silent = places.filter(([, { text }]) => !OFFER.test(text)).map(([path]) => path)
  expect(silent.toSorted()).toEqual(Object.keys(without).toSorted())
  // Every undoable call is changed by hand somewhere.
  const sent = web.sentOf(undoable)
  expect([...undoable].filter((call) => !sent.has(call))).toEqual([])
})
