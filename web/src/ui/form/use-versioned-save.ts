import type { CallDefinition, CurrentOf } from '@limber/contract/kit/call.ts'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { currentOf } from '#platform/api/call-failure.ts'

interface Versioned {
  version: number
}

export type StaleCall = CallDefinition & { refusals: { stale: readonly [number, string, z.ZodType<Versioned>] } }

/** Compares form values. Undefined, null and an empty text are the same. */
export const isSame = (a: unknown, b: unknown): boolean =>
  (a ?? '') === (b ?? '') || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))

/** Merges my changes into their version: fields that I did not change keep their values. */
export function mergeMine<F extends object>(base: F, theirs: F, mine: F): F {
  // An empty field is missing from `mine`. If I did not change it, their value stays.
  const names = Object.keys({ ...base, ...theirs, ...mine }) as (keyof F)[]
  return Object.fromEntries(
    names.map((name) => [name, isSame(mine[name], base[name]) ? theirs[name] : mine[name]]),
  ) as F
}

/**
 * Saves a record with the version that editing began with. If someone else saved first, `theirs` is the current record;
 * `overwrite` saves on top of it, `dismiss` returns to editing.
 */
export function useVersionedSave<C extends StaleCall, F extends object, Saved>(
  base: Versioned,
  send: (input: F & Versioned) => Promise<Saved>,
) {
  const [theirs, setTheirs] = useState<CurrentOf<C, 'stale'>>()
  const version = useRef(base.version)

  const save = async (fields: F): Promise<Saved> => {
    try {
      return await send({ ...fields, version: version.current })
    } catch (error) {
      setTheirs((before) => currentOf<C>(error) ?? before)
      throw error
    }
  }
  const overwrite = (fields: F): Promise<Saved> => {
    if (theirs) version.current = theirs.version
    setTheirs(undefined)
    return save(fields)
  }
  return { save, theirs, overwrite, dismiss: () => setTheirs(undefined) }
}
