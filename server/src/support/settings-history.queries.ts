import { saveRoundRobin, setTakesOnReply } from '@limber/contract/support/assignment/assignment.ts'
import { savePromises } from '@limber/contract/support/promises/promise.ts'
import { saveRatingSettings } from '@limber/contract/support/ratings/rating.ts'
import { CHANGED, numericId, type RecordHistory, workerNames } from '#platform/audit/history.ts'
import { findTakesOnReply } from './assignment/assignment-setting.ts'
import { findRoundRobin } from './assignment/round-robin.queries.ts'
import { findSettings } from './promises/promise.queries.ts'
import { holidaysInWords, targetsInWords, weekInWords } from './promises/promise-words.ts'
import { findRatingSettings } from './ratings/rating.queries.ts'

const promiseFields = ['week', 'holidays', 'targets'] as const

/** Business hours, holidays, response targets and ratings of the support desk. */
export const promisesHistory: RecordHistory = {
  subject: 'promises',
  isSingle: true,
  async read(db) {
    const settings = await findSettings(db)
    const ratings = await findRatingSettings(db)
    return {
      name: 'Service promises',
      values: {
        ...{ week: settings?.week, holidays: settings?.holidays, targets: settings?.targets },
        ...{ version: settings?.version ?? 0, isOn: ratings.is_on, ratingsVersion: ratings.version },
      },
    }
  },
  fields: [
    { name: 'week', label: 'Business hours', parts: weekInWords },
    { name: 'holidays', label: 'Holidays', parts: holidaysInWords },
    { name: 'targets', label: 'Response targets', parts: targetsInWords },
    { name: 'zone', label: 'Time zone' },
    { name: 'isOn', label: 'Ask for a rating', kind: 'flag' },
  ],
  actions: { promises_changed: CHANGED, promises_moved: CHANGED, ratings_switched: CHANGED },
  restores: [
    {
      ...{ call: savePromises, fields: promiseFields },
      input: (_, values, { week, holidays, targets, version }) => ({
        body: { week, holidays, targets, ...values, version },
      }),
    },
    {
      ...{ call: saveRatingSettings, fields: ['isOn'] },
      input: (_, { isOn }, { ratingsVersion }) => ({ body: { isOn, version: ratingsVersion } }),
    },
  ],
}

/** Who gets new tickets. Rows about a queue name its view. */
export const assignmentHistory: RecordHistory = {
  subject: 'assignment',
  isSingle: true,
  async read(db, view) {
    const { is_on, max_open, members, version } = await findRoundRobin(db, numericId(view) || null)
    return {
      name: 'Assignment of tickets',
      values: {
        ...{ takesOnReply: await findTakesOnReply(db), isOn: is_on, maxOpen: max_open, version },
        members: members.map(({ id }) => id),
      },
    }
  },
  fields: [
    { name: 'takesOnReply', label: 'Assign unassigned tickets to whoever replies', kind: 'flag' },
    { name: 'isOn', label: 'Assign new tickets', kind: 'flag' },
    { name: 'maxOpen', label: 'Open tickets per worker' },
    { name: 'members', label: 'Workers', names: workerNames },
  ],
  actions: {
    assignment_changed: CHANGED,
    round_robin_changed: CHANGED,
    absence_planned: 'planned days out of office',
    absence_canceled: 'canceled days out of office',
    taking_paused: 'stopped taking new tickets',
    taking_resumed: 'takes new tickets again',
  },
  restores: [
    {
      ...{ call: setTakesOnReply, fields: ['takesOnReply'] },
      input: (_, values) => ({ body: values }),
    },
    {
      ...{ call: saveRoundRobin, fields: ['isOn', 'maxOpen', 'members'] },
      input: (view, values, { isOn, maxOpen, members, version }) => ({
        body: { view: numericId(view) || null, isOn, maxOpen, members, ...values, version },
      }),
    },
  ],
}
