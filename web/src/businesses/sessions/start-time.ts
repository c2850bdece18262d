import { BAD_DATE } from '@limber/contract/businesses/sessions/onsite.ts'
import { fieldOf, momentsOf } from '@limber/contract/kit/zone-time.ts'

/** What a person typed as a start by the clocks of a zone, and which of two equal readings is meant. */
export interface StartEntry {
  field: string
  isSecond: boolean
}

export const entryOf = (at: Date, zone: string): StartEntry => {
  const field = fieldOf(at, zone)
  const [first, second] = momentsOf(field, zone) ?? []
  return { field, isSecond: second !== undefined && first?.getTime() !== at.getTime() }
}

export interface StartReading {
  /** The moment that is meant. */
  at: Date | undefined
  /** Both, in the hour that comes twice. */
  both: readonly Date[]
  problem: string | undefined
}

/** Reads an entry. The hour that is skipped in spring has no moment, the one that comes twice in autumn has two. */
export function readStart({ field, isSecond }: StartEntry, zone: string): StartReading {
  const found = momentsOf(field, zone)
  if (found === undefined) return { at: undefined, both: [], problem: BAD_DATE }
  if (found.length === 0)
    return { at: undefined, both: [], problem: 'The clocks skip this time on that day. Choose another one.' }
  const [first, second] = found
  return { at: isSecond ? (second ?? first) : first, both: found.length > 1 ? found : [], problem: undefined }
}
