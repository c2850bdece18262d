import { companyZone } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'

// Before any ticket, and after every one.
const BEGIN = new Date('1970-01-01T00:00:00Z')
const END = new Date('9999-01-01T00:00:00Z')

/** When a day of the company begins. Clocks that skip midnight begin it an hour later. */
function startOf(day: string): Date {
  const zone = companyZone()
  const [start] = momentsFromInput(`${day}T00:00`, zone) ?? []
  return start ?? momentsFromInput(`${day}T01:00`, zone)?.[0] ?? new Date(`${day}T00:00:00Z`)
}

/** The moments of a range of days, both included; an empty day leaves its end open. */
export const spanOf = ({ from, to }: { from: string; to: string }) => ({
  from: from === '' ? BEGIN : startOf(from),
  to: to === '' ? END : startOf(addDays(to, 1)),
})
