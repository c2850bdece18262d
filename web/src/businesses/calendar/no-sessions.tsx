import type { SessionCalendar } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { Button } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { type CalendarSearch, type ChangeCalendar, noFilters } from './calendar-search.ts'
import { dayName, weekOf } from './week.ts'

interface Props {
  nearest: Pick<SessionCalendar, 'last_before' | 'next_after'>
  search: CalendarSearch
  onChange: ChangeCalendar
}

function hintOf(nearest: number, isFiltered: boolean): string {
  if (nearest === 2) return 'The nearest days that have some:'
  if (nearest === 1) return 'The nearest day that has some:'
  return isFiltered ? 'Nor in any other week.' : 'They are scheduled with the prepaid blocks of a business.'
}

/** A week without sessions, and the ways to those that have some. */
export function NoSessions({ nearest: { last_before, next_after }, search, onChange }: Props) {
  const isFiltered = search.zone > 0 || search.stretcher > 0 || search.status !== ''
  const go = (day: string) => onChange({ week: weekOf(day) })
  const actions = (
    <>
      {next_after && (
        <Button variant="default" onClick={() => go(next_after)}>
          Next: {dayName(next_after)}
        </Button>
      )}
      {last_before && (
        <Button variant="default" onClick={() => go(last_before)}>
          Last: {dayName(last_before)}
        </Button>
      )}
      {isFiltered && (
        <Button variant="default" onClick={() => onChange(noFilters)}>
          Clear the filters
        </Button>
      )}
    </>
  )
  return (
    <EmptyState
      icon={IconCalendarOff}
      title={isFiltered ? 'No session is found in this week' : 'No sessions in this week'}
      action={actions}
    >
      {hintOf([next_after, last_before].filter((day) => day !== null).length, isFiltered)}
    </EmptyState>
  )
}
