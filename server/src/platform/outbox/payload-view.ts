import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { PayloadView } from '@limber/contract/tech/integrations/integration.ts'
import { maskAddress, maskPhone } from '../security/scrub.ts'

/**
 * How a payload field may be shown: as is, as a masked email or phone number, or only by its length or count. Of fields
 * that are not listed, only the name is shown.
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
    // Nested values are never shown, because the list names top-level fields only.
    const text = typeof each === 'object' && each !== null ? sizeOf(each) : String(each)
    return how === 'address' ? maskAddress(text) : how === 'phone' ? maskPhone(text) : text
  }
  return (Array.isArray(value) ? value.slice(0, 20).map(one).join(', ') : one(value)).slice(0, MAX_LENGTH)
}

/** The parts of a payload that staff may see. */
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
