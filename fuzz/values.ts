import type { z } from 'zod'
import type { Chance } from './chance.ts'
import { hostile, hostileNumbers, specimens } from './specimens.ts'

/** `plain`: values that a person would send. `edge`: values at and beyond the limits. */
export type Manner = 'plain' | 'edge'

/** The definition of any zod schema. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  innerType?: z.ZodType
  in?: z.ZodType
  options?: readonly z.ZodType[]
  element?: z.ZodType
  items?: readonly z.ZodType[]
  keyType?: z.ZodType
  valueType?: z.ZodType
  getter?: () => z.ZodType
  values?: readonly unknown[]
  entries?: Record<string, string | number>
}

const TRIES = 30
const MAX_DEPTH = 6

const definitionOf = (shape: z.ZodType) => (shape as unknown as { _zod: { def: Definition } })._zod.def
const fits = (shape: z.ZodType, value: unknown) => shape.safeParse(value).success

/** A value for a schema. In plain mode it is valid wherever the schema tells what is valid. */
export function makeValue(shape: z.ZodType, chance: Chance, manner: Manner = 'plain', depth = 0): unknown {
  const { type, ...def } = definitionOf(shape)
  const inner = (of: z.ZodType) => makeValue(of, chance, manner, depth + 1)
  if (depth > MAX_DEPTH) return null
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).flatMap(([name, of]) => {
          const value = inner(of)
          return value === undefined ? [] : [[name, value]]
        }),
      )
    case 'optional':
    case 'default':
    case 'prefault':
      return chance.oneIn(3) ? undefined : inner(def.innerType as z.ZodType)
    case 'nullable':
      return chance.oneIn(4) ? null : inner(def.innerType as z.ZodType)
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return inner(def.innerType as z.ZodType)
    case 'lazy':
      return inner((def.getter as () => z.ZodType)())
    case 'union':
      return inner(chance.pick(def.options ?? []))
    case 'array':
      return makeList(shape, () => inner(def.element as z.ZodType), chance, manner)
    case 'tuple':
      return (def.items ?? []).map(inner)
    case 'record':
      return Object.fromEntries(
        Array.from({ length: chance.below(3) }, () => [
          String(inner(def.keyType as z.ZodType)),
          inner(def.valueType as z.ZodType),
        ]),
      )
    case 'literal':
      return chance.pick(def.values ?? [])
    case 'enum':
      return chance.pick(Object.values(def.entries ?? {}))
    case 'boolean':
      return chance.oneIn(2)
    case 'null':
      return null
    case 'pipe':
      return makeLeaf(shape, () => inner(def.in as z.ZodType), manner)
    case 'string':
      return makeLeaf(shape, () => makeText(chance, manner), manner)
    case 'number':
      return makeLeaf(shape, () => makeNumber(chance, manner), manner)
    default:
      return chance.pick([{}, [], 'x', 1, null])
  }
}

/** Retries until the value is valid; edge values need not be. */
function makeLeaf(shape: z.ZodType, make: () => unknown, manner: Manner): unknown {
  let value = make()
  for (let tries = 0; manner === 'plain' && tries < TRIES && !fits(shape, value); tries += 1) value = make()
  return value
}

function makeList(shape: z.ZodType, make: () => unknown, chance: Chance, manner: Manner): unknown[] {
  const lengths = manner === 'plain' ? [1, 2, 0, 3, 4, 6] : [0, 1, 30, 200]
  const first = chance.below(lengths.length)
  let list: unknown[] = []
  for (let at = 0; at < lengths.length; at += 1) {
    list = Array.from({ length: lengths[(first + at) % lengths.length] ?? 0 }, make)
    if (manner === 'edge' || fits(shape, list)) break
  }
  return list
}

function makeText(chance: Chance, manner: Manner): string {
  if (manner === 'edge' && !chance.oneIn(3)) return chance.pick(hostile)
  if (chance.oneIn(6)) return String(1 + chance.below(40))
  return chance.pick(specimens)
}

function makeNumber(chance: Chance, manner: Manner): number {
  if (manner === 'edge' && !chance.oneIn(3)) return chance.pick(hostileNumbers)
  // Small integers match ids of existing records.
  return chance.pick([1 + chance.below(40), chance.below(5), 10, 15, 20, chance.below(1000), chance.below(100) / 4])
}
