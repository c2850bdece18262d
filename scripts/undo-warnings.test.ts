import { calls } from '@limber/contract/calls.ts'
import { expect, it } from 'vitest'
import { undoList } from '../server/src/undo-list.ts'
import { nameOf } from '../server/src/undo-table.ts'
import { stringsOf } from './strings.ts'
import { constantsOf, readWeb } from './web-changes.testing.ts'

/** Why whole groups of changes need no warning, by what the list of undo says about them. */
const groups: Readonly<Record<string, string>> = {
  'A step of signing in, of the first setup or of a confirmation.': 'There is nothing to keep.',
  'Access is granted and taken in its own form, with a passkey, and the worker is told.': 'It can be granted again.',
  'It undoes something; do the other thing again.': 'The other thing can be done again.',
  'Something runs. It changes no record that could be restored.': 'There is nothing to lose.',
  'A note is what was said. Add another one.': 'There is nothing to lose.',
  'Someone saw it.': 'The button says that it shows.',
}

const SENDS = 'The button says that it sends what was just written.'
const TESTS = 'The button says that it sends, and what it sends was sent before or is a test.'

/** Places that say nothing before a change that cannot be undone, each with the reason. */
const silent: Readonly<Record<string, string>> = {
  'POST /api/access/webhooks/:id/deliveries/:deliveryId/redeliver web/src/access/webhooks/deliveries.tsx': TESTS,
  'POST /api/access/webhooks/:id/redeliver web/src/access/webhooks/deliveries.tsx': TESTS,
  'POST /api/access/webhooks/:id/test web/src/access/webhooks/endpoint-detail.tsx': TESTS,
  'POST /api/campaigns/:id/push web/src/marketing/campaigns/push-line.tsx': TESTS,
  'POST /api/company/mail-server/test web/src/company/mail-server-form.tsx': TESTS,
  'DELETE /api/imports/:id web/src/imports/map-step.tsx': 'Nothing was written yet. The file can be uploaded again.',
  'POST /api/support/messages/send web/src/support/texts/text-reply.tsx': SENDS,
  'POST /api/support/messages/send web/src/support/timeline/entry-answer.tsx': SENDS,
  'POST /api/support/tickets/:id/respond web/src/support/tickets/thread/ticket-reply.tsx': SENDS,
  'POST /api/support/tickets/:id/follow-up web/src/support/tickets/ticket-actions.tsx':
    'The two tickets can be merged.',
  'POST /api/training/attempts/grant web/src/training/learners/another-attempt.tsx':
    'An attempt that no one takes changes nothing.',
  'POST /api/marketing/referrals/people/:id/review web/src/growth/referrals/held-referrals.tsx':
    'Another decision replaces it.',
  'POST /api/marketing/referrals/people/:id/review web/src/growth/referrals/referral-dialog.tsx':
    'Another decision replaces it.',
}

/** Files that have the words of a place. */
const wordsOf: Readonly<Record<string, string>> = {
  'web/src/certifications/certification-list.tsx': 'web/src/certifications/labels.ts',
  'web/src/marketing/campaigns/new-campaign.tsx': 'web/src/marketing/campaigns/campaign-labels.ts',
}

const WARNING = /cannot be (undone|taken back|reopened|changed later)|cannot take it back/

it('each place that makes a change which cannot be undone says so before, or has a reason', () => {
  const whyNot = new Map(
    calls.map(nameOf).flatMap((name): [string, string][] => {
      const undo = undoList.get(name)
      return undo?.by === 'nothing' ? [[name, undo.why]] : []
    }),
  )
  const reasons = new Set(whyNot.values())
  expect(Object.keys(groups).filter((why) => !reasons.has(why))).toEqual([])
  const asked = new Set([...whyNot].filter(([, why]) => groups[why] === undefined).map(([name]) => name))
  const constants = constantsOf(asked)
  const web = readWeb()
  // Only what people read counts, not a comment or a name.
  const warns = (path: string) => stringsOf(path, web.textOf(path)).some(({ text }) => WARNING.test(text))
  const found = [...asked].map((name) => ({ name, places: web.placesOf(new Set([constants.get(name) ?? ''])) }))
  // Each can be done somewhere.
  expect(found.filter(({ places }) => places.length === 0).map(({ name }) => name)).toEqual([])
  const without = found.flatMap(({ name, places }) =>
    places.filter(([path]) => !warns(wordsOf[path] ?? path)).map(([path]) => `${name} ${path}`),
  )
  expect(without.toSorted()).toEqual(Object.keys(silent).toSorted())
  expect(found.length).toBeGreaterThan(50)
})
