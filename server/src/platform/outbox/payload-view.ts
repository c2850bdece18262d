import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { PayloadView } from '@limber/contract/tech/integrations/integration.ts'
import { maskAddress, maskPhone } from '../security/scrub.ts'

/**
 * How a field of a payload may be shown: as it is, as a masked address or number, or by its length or count only.
 * What is not listed is shown by its name alone.
 */
export type FieldDisplay = 'plain' | 'address' | 'phone' | 'length'
export type VisibleFields = Readonly<Record<string, FieldDisplay>>

const MAX_LENGTH = 300
const MAX_NAMES = 40

function sizeOf(value: unknown): string {
  if (typeof value === 'string') return pluralize(value.length, 'character')
  if (Array.isArray(value)) return pluralize(value.length, 'entry', 'entries')
  return 'present'
}

function show(value: unknown, how: FieldDisplay): string {
  if (how === 'length') return sizeOf(value)
  const one = (each: unknown) => {
    // Nothing that is nested is shown whole: a list of fields knows only what it names.
    const text = typeof each === 'object' && each !== null ? sizeOf(each) : String(each)
    return how === 'address' ? maskAddress(text) : how === 'phone' ? maskPhone(text) : text
  }
  return (Array.isArray(value) ? value.slice(0, 20).map(one).join(', ') : one(value)).slice(0, MAX_LENGTH)
}

/** What a person may see of a payload. */
export function viewPayload(payload: unknown, shows: VisibleFields): PayloadView {
  if (typeof payload !== 'object' || payload === null)
    return { fields: [], withheld: payload === null ? [] : ['value'] }
  const entries = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null)
  const isShown = ([name]: [string, unknown]) => Object.hasOwn(shows, name)
  return {
    fields: entries.filter(isShown).map(([name, value]) => ({ name, value: show(value, shows[name] ?? 'length') })),
    withheld: entries
      .filter((entry) => !isShown(entry))
      .slice(0, MAX_NAMES)
      .map(([name]) => name.slice(0, 80)),
  }
}
