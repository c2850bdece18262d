import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { addDays, daysBetween } from '@limber/contract/kit/days.ts'
import { formatClock } from '@limber/contract/kit/formats/dates.ts'
import { inputFromMoment, momentsFromInput, readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { blockText } from '../labels.ts'

/** A start in the week: a day and a minute of it, in the time zone of what is being placed. */
export interface Spot {
  day: string
  minute: number
}

/** What is being placed: a block without a session, or a session that moves. */
export interface Lifted {
  key: string
  /** The prepaid block, for which stretchers are looked up. */
  blockId: number
  zone: string
  minutes: number
  business: string
  detail: string
  block?: UnusedBlock
  session?: CalendarSession
  /** Where the keyboard begins: its start so far. */
  from?: Spot
}

const MINUTE = 60_000
const DAY_MINUTES = 24 * 60
/** Starts snap to half hours. */
export const STEP = 30
/** Where the keyboard begins. */
const NINE = 9 * 60

export const liftBlock = (block: UnusedBlock): Lifted => ({
  key: `block ${block.id}`,
  blockId: block.id,
  zone: block.business.time_zone,
  minutes: block.block_hours * 60,
  business: block.business.name,
  detail: `${block.internal_label ? `${block.internal_label} · ` : ''}${blockText(block.block_hours, block.slot_length_minutes)}`,
  block,
})

/** A session that has not started can move. One without its block has no record of its slots. */
export function liftSession(session: CalendarSession): Lifted | undefined {
  if (session.status !== 'scheduled' || session.block_id === null) return undefined
  const [from, to] = [readBareMoment(session.starts_at), readBareMoment(session.ends_at)]
  return {
    key: `session ${session.id}`,
    blockId: session.block_id,
    zone: session.zone.time_zone,
    minutes: (to.getTime() - from.getTime()) / MINUTE,
    business: session.business.name,
    detail: `with ${session.stretcher.name}`,
    session,
    from: spotOf(from, session.zone.time_zone),
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** The moment of a spot; undefined in the hour that daylight saving time skips. */
export const momentOf = ({ day, minute }: Spot, zone: string): Date | undefined =>
  momentsFromInput(`${day}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`, zone)?.[0]

export function spotOf(at: Date, zone: string): Spot {
  const field = inputFromMoment(at, zone)
  return { day: field.slice(0, 10), minute: Number(field.slice(11, 13)) * 60 + Number(field.slice(14, 16)) }
}

/** `9:30 AM`. */
export const clockOf = (minute: number) => formatClock(Math.floor(minute / 60), minute % 60)

/** The spot under the pointer, as an offset from the top of a day. */
export const snap = (minute: number) => Math.min(DAY_MINUTES - STEP, Math.max(0, Math.floor(minute / STEP) * STEP))

const moves: Readonly<Record<string, readonly [days: number, minutes: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** Where an arrow key leads; with Shift, by a week. The first press begins at nine. */
export function moveSpot(spot: Spot | undefined, key: string, hasShift: boolean, firstDay: string): Spot | undefined {
  const move = moves[key]
  if (!move) return undefined
  if (!spot) return { day: firstDay, minute: NINE }
  const [days, minutes] = move
  return {
    day: addDays(spot.day, hasShift ? days * 7 : days),
    minute: hasShift ? spot.minute : snap(spot.minute + minutes),
  }
}

export const isInWeek = (day: string, monday: string) => {
  const days = daysBetween(monday, day)
  return days >= 0 && days < 7
}
