import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import type { Candidate } from '@limber/contract/businesses/sessions/onsite.ts'
import { addDays, weekdayOf } from '@limber/contract/kit/days.ts'
import { federalHolidayOn } from '@limber/contract/kit/federal-holidays.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { now } from '#platform/clock.ts'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'
import { candidatesQuery } from '../blocks/block.api.ts'
import { daysOf, weekOf } from '../calendar/week.ts'
import { isInWeek, type Lifted, momentOf, moveSpot, type Spot, spotOf } from './plan.ts'

/** Whether somebody can take a session at a start. */
export type Fit = 'unknown' | 'free' | 'nobody' | 'past' | 'skipped' | 'expired'

export interface Suggestion extends Spot {
  at: Date
  stretcher: string
}

/** What a drop leads to. */
export type Dropped =
  | { block: UnusedBlock; start: Date | undefined }
  | { session: number; start: Date }
  | { pick: Spot }

const PAUSE = 150
const NINE = 9 * 60
const MAX_SUGGESTIONS = 3

export interface Planner {
  lifted: Lifted | undefined
  spot: Spot | undefined
  start: Date | undefined
  fit: Fit
  candidates: readonly Candidate[]
  suggestions: readonly Suggestion[]
  /** Whether starts that work are still looked for. */
  isSuggesting: boolean
  /** How often a start that cannot be was refused. */
  refusals: number
  lift(what: Lifted): void
  putBack(): void
  point(spot: Spot): void
  drop(spot: Spot | undefined): void
}

/** On the next working days of the week: nine o'clock, or the first start after it at which somebody is free. */
function useSuggestions(lifted: Lifted | undefined, monday: string): Pick<Planner, 'suggestions' | 'isSuggesting'> {
  const zone = lifted?.zone ?? 'UTC'
  const lastDay = lifted?.block?.expires_on ?? addDays(monday, 6)
  const starts = daysOf(monday)
    .filter((day) => weekdayOf(day) % 6 !== 0 && day <= lastDay && federalHolidayOn(day) === undefined)
    .flatMap((day) => momentOf({ day, minute: NINE }, zone) ?? [])
    .filter((at) => at > now())
  return useQueries({
    queries: starts.map((at) => ({
      ...candidatesQuery(lifted?.blockId ?? 0, at),
      enabled: lifted !== undefined,
      staleTime: 60_000,
    })),
    combine: (found) => ({
      isSuggesting: lifted !== undefined && found.some(({ isFetching, data }) => isFetching && !data),
      suggestions: found
        .flatMap(({ data, isPlaceholderData }, nth): Suggestion[] => {
          const at = starts[nth]
          if (!data || isPlaceholderData || !at || !lifted) return []
          const free = data.candidates.find(({ state }) => state === 'free')
          if (free) return [{ ...spotOf(at, zone), at, stretcher: free.name }]
          const [next] = data.next_starts
          const then = next && readBareMoment(next.starts_at)
          if (!next || !then || spotOf(then, zone).day !== spotOf(at, zone).day) return []
          const who = data.candidates.find(({ id }) => id === next.stretcher_id)
          return [{ ...spotOf(then, zone), at: then, stretcher: who?.name ?? '' }]
        })
        .slice(0, MAX_SUGGESTIONS),
    }),
  })
}

interface Options {
  monday: string
  onWeek: (week: string) => void
  onDrop: (dropped: Dropped) => void
}

/** Placing a block in the week, or moving a session: by dragging, by clicks, or with the keyboard. */
export function usePlanner({ monday, onWeek, onDrop }: Options): Planner {
  const [lifted, setLifted] = useState<Lifted>()
  const [spot, setSpot] = useState<Spot>()
  const [refusals, setRefusals] = useState(0)
  const start = lifted && spot && momentOf(spot, lifted.zone)
  const [asked] = useDebouncedValue(start, PAUSE)
  const isPast = start !== undefined && start < now()
  const isExpired = spot !== undefined && lifted?.block?.expires_on != null && spot.day > lifted.block.expires_on
  const found = useQuery({
    ...candidatesQuery(lifted?.blockId ?? 0, asked),
    enabled: lifted !== undefined && asked !== undefined && !isPast && !isExpired,
  })
  const { suggestions, isSuggesting } = useSuggestions(lifted, monday)

  const isAnswered = found.data !== undefined && !found.isPlaceholderData && asked?.getTime() === start?.getTime()
  const candidates = isAnswered ? found.data.candidates : []
  const fitOf = (): Fit => {
    if (spot === undefined) return 'unknown'
    if (start === undefined) return 'skipped'
    if (isPast) return 'past'
    if (isExpired) return 'expired'
    if (!isAnswered) return 'unknown'
    return candidates.some(({ state }) => state === 'free') ? 'free' : 'nobody'
  }
  const fit = fitOf()

  const putBack = () => {
    setLifted(undefined)
    setSpot(undefined)
    setRefusals(0)
  }
  const point = (to: Spot) => {
    setSpot((before) => (before?.day === to.day && before.minute === to.minute ? before : to))
    if (!isInWeek(to.day, monday)) onWeek(weekOf(to.day))
  }
  const drop = (to: Spot | undefined) => {
    if (!to) return
    if (!lifted) return onDrop({ pick: to })
    const at = momentOf(to, lifted.zone)
    const isSame = to.day === spot?.day && to.minute === spot.minute
    // A start that cannot be is not offered; one that is still looked up is decided in the dialog.
    if (!at || at < now() || (isSame && fit !== 'free' && fit !== 'unknown')) {
      setRefusals((before) => before + 1)
      return point(to)
    }
    if (lifted.block) onDrop({ block: lifted.block, start: at })
    else if (lifted.session) onDrop({ session: lifted.session.id, start: at })
    putBack()
  }

  useWindowKeys((event) => {
    if (!lifted || !isPageKey(event)) return
    const firstDay = isInWeek(spotOf(now(), lifted.zone).day, monday) ? spotOf(now(), lifted.zone).day : monday
    const moved = moveSpot(spot ?? lifted.from, event.key, event.shiftKey, firstDay)
    const suggested = suggestions[Number(event.key) - 1]
    if (moved) point(moved)
    else if (suggested) point(suggested)
    else if (event.key === 'Enter' && spot) drop(spot)
    else if (event.key === 'Escape') putBack()
    else return
    event.preventDefault()
  })

  return {
    lifted,
    spot,
    start,
    fit,
    candidates,
    suggestions,
    isSuggesting,
    refusals,
    lift: (what) => {
      setLifted(what)
      setSpot(undefined)
      setRefusals(0)
    },
    putBack,
    point,
    drop,
  }
}
