import { ActionIcon, Button } from '@mantine/core'
import { IconCalendarWeek, IconChevronLeft, IconChevronRight, IconList } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Icon } from '#ui/layout/icon.tsx'
import { calendarQuery } from './calendar.api.ts'
import styles from './calendar.module.css'
import type { CalendarSearch, ChangeCalendar } from './calendar-search.ts'
import { useWeekKeys } from './use-week-keys.ts'
import { stepFrom, weekText } from './week.ts'

interface ViewsProps {
  view: CalendarSearch['view']
  isWide: boolean
  onChange: ChangeCalendar
}

function Views({ view, isWide, onChange }: ViewsProps) {
  const views = [
    { value: 'week', label: isWide ? 'Week' : 'Day', icon: IconCalendarWeek },
    { value: 'list', label: 'List', icon: IconList },
  ] as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons of a toolbar
    <div className={styles.views} role="group" aria-label="View">
      {views.map(({ value, label, icon }) => (
        <button key={value} type="button" aria-pressed={view === value} onClick={() => onChange({ view: value })}>
          <Icon of={icon} size={14} />
          {label}
        </button>
      ))}
    </div>
  )
}

interface Props {
  monday: string
  /** The Monday of the current week. */
  current: string
  search: CalendarSearch
  onChange: ChangeCalendar
  /** Whether there is room for seven days side by side. */
  isWide: boolean
}

/** The selected week and navigation to others. Prefetches a week when the pointer is near its button. */
export function WeekBar({ monday, current, search, onChange, isWide }: Props) {
  const cache = useQueryClient()
  const [before, after] = [stepFrom(monday, -1), stepFrom(monday, 1)]
  const open = (week: string | undefined) => {
    if (week !== undefined && week !== monday) onChange({ week: week === current ? '' : week, day: '' })
  }
  const prefetchWeek = (week: string | undefined) => {
    if (week !== undefined) void cache.prefetchQuery(calendarQuery(week, search))
  }
  useWeekKeys({ p: () => open(before), n: () => open(after), t: () => open(current) })
  return (
    <div className={styles.bar}>
      <div className={styles.turn}>
        <ActionIcon
          variant="default"
          size="var(--control-h)"
          aria-label="Previous week"
          aria-keyshortcuts="p"
          disabled={before === undefined}
          onPointerEnter={() => prefetchWeek(before)}
          onClick={() => open(before)}
        >
          <Icon of={IconChevronLeft} />
        </ActionIcon>
        <Button
          variant="default"
          aria-keyshortcuts="t"
          disabled={monday === current}
          onPointerEnter={() => prefetchWeek(current)}
          onClick={() => open(current)}
        >
          This week
        </Button>
        <ActionIcon
          variant="default"
          size="var(--control-h)"
          aria-label="Next week"
          aria-keyshortcuts="n"
          disabled={after === undefined}
          onPointerEnter={() => prefetchWeek(after)}
          onClick={() => open(after)}
        >
          <Icon of={IconChevronRight} />
        </ActionIcon>
      </div>
      <h2 className={styles.week} aria-live="polite">
        {weekText(monday)}
      </h2>
      <Views view={search.view} isWide={isWide} onChange={onChange} />
    </div>
  )
}
