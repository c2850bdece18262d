import type { Absence, Assignment, RoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import type { AbsenceRow } from './absence.queries.ts'
import type { RoundRobinRow, WorkerRow } from './round-robin.queries.ts'

export const presentRoundRobin = ({ view, is_on, max_open, members, version }: RoundRobinRow): RoundRobin => ({
  view,
  isOn: is_on,
  maxOpen: max_open,
  members,
  version,
})

export const presentAbsence = ({ starts_on, ends_on, hands_over, ...row }: AbsenceRow): Absence => ({
  ...row,
  startsOn: starts_on,
  endsOn: ends_on,
  handsOver: hands_over,
})

export const presentDeskWorker = ({
  is_present,
  takes_new,
  is_away,
  ...row
}: WorkerRow): Assignment['workers'][number] => ({
  ...row,
  isPresent: is_present,
  takesNew: takes_new,
  isAway: is_away,
})
