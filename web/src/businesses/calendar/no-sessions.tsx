import type { SessionCalendar } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { Button } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { NextStep } from '#platform/routing/next-step.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { type CalendarSearch, type ChangeCalendar, noFilters } from './calendar-search.ts'
import { dayName, weekOf } from './week.ts'

interface Props {
  nearest: Pick<SessionCalendar, 'last_before' | 'next_after'>
  search: CalendarSearch
  onChange: ChangeCalendar
}

function hintOf(nearest: number, isFiltered: boolean): string {
  if (nearest === 2) return 'The nearest days with sessions:'
  if (nearest === 1) return 'The nearest day with sessions:'
  return isFiltered ? 'No other week has any.' : 'Sessions are scheduled from the prepaid blocks of a business.'
}

/** The empty state of a week, with links to the nearest weeks that have sessions. */
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
      {!isFiltered && !next_after && !last_before && (
        <NextStep to="/worker/managing/businesses" needs="businesses.manage">
          Businesses
        </NextStep>
      )}
      {isFiltered && (
        <Button variant="default" onClick={() => onChange(noFilters)}>
          Clear filters
        </Button>
      )}
    </>
  )
  return (
    <EmptyState
      icon={IconCalendarOff}
      title={isFiltered ? 'No sessions found this week' : 'No sessions this week'}
      action={actions}
    >
      {hintOf([next_after, last_before].filter((day) => day !== null).length, isFiltered)}
    </EmptyState>
  )
}
