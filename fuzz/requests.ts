import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Chance } from './chance.ts'
import { wrongTypes } from './specimens.ts'
import { type Manner, makeValue } from './values.ts'

export type Kind = 'plain' | 'edge' | 'broken'

export interface FuzzedRequest {
  kind: Kind
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** A request for a call: valid, at the limits of what is allowed, or with one thing broken. */
export function makeRequest(call: CallDefinition, chance: Chance, kind: Kind): FuzzedRequest {
  const manner: Manner = kind === 'edge' ? 'edge' : 'plain'
  const part = (name: 'params' | 'query' | 'body') => {
    const shape = call[name]
    return shape && makeValue(shape, chance, manner)
  }
  const request = {
    kind,
    ...(call.params && { params: wellFormed(part('params')) }),
    ...(call.query && { query: wellFormed(part('query')) }),
    ...(call.body && { body: part('body') }),
  }
  return kind === 'broken' ? breakOne(request, chance) : request
}

/** Lone surrogates cannot be encoded in a URL. */
const wellFormed = (part: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(part ?? {}).map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]),
  )

function breakOne(request: FuzzedRequest, chance: Chance): FuzzedRequest {
  if (request.body !== undefined) return { ...request, body: breakValue(request.body, chance) }
  const query = breakValue(request.query ?? {}, chance)
  return typeof query === 'object' && query !== null ? { ...request, query: wellFormed(query) } : request
}

/** Removes, adds or replaces one thing somewhere in the value. */
function breakValue(value: unknown, chance: Chance): unknown {
  if (Array.isArray(value) && value.length > 0 && !chance.oneIn(4)) {
    const at = chance.below(value.length)
    return value.with(at, breakValue(value[at], chance))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return chance.pick(wrongTypes)
  const names = Object.keys(value)
  const change = chance.below(names.length > 0 ? 4 : 1)
  if (change === 0) return { ...value, surprise: chance.pick(wrongTypes) }
  const name = chance.pick(names)
  const { [name]: found, ...rest } = value as Record<string, unknown>
  return change === 1 ? rest : { ...rest, [name]: breakValue(found, chance) }
}
