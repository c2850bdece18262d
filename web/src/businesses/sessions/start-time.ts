import { BAD_DATE } from '@limber/contract/businesses/sessions/onsite.ts'
import { inputFromMoment, momentsFromInput } from '@limber/contract/kit/zone-time.ts'

/** A typed start in a time zone, and which of two possible times is meant. */
export interface StartEntry {
  field: string
  isSecond: boolean
}

export const entryOf = (at: Date, zone: string): StartEntry => {
  const field = inputFromMoment(at, zone)
  const [first, second] = momentsFromInput(field, zone) ?? []
  return { field, isSecond: second !== undefined && first?.getTime() !== at.getTime() }
}

export interface StartReading {
  /** The selected time. */
  at: Date | undefined
  /** Both times, in the repeated hour. */
  both: readonly Date[]
  problem: string | undefined
}

/** Resolves an entry. The skipped hour in spring has no time; the repeated hour in fall has two. */
export function readStart({ field, isSecond }: StartEntry, zone: string): StartReading {
  const found = momentsFromInput(field, zone)
  if (found === undefined) return { at: undefined, both: [], problem: BAD_DATE }
  if (found.length === 0)
    return { at: undefined, both: [], problem: 'Daylight saving time skips this time on that day. Select another one.' }
  const [first, second] = found
  return { at: isSecond ? (second ?? first) : first, both: found.length > 1 ? found : [], problem: undefined }
}
