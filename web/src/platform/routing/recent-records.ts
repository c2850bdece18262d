import { useEffect } from 'react'
import { readPreference, savePreference } from '../preferences.ts'
import { useSession } from '../session/session.tsx'

/** A record that the worker opened on this device. */
export interface RecentRecord {
  /** 'customer' */
  of: string
  id: number
  title: string
}

const MAX_REMEMBERED = 50

/** Cleared with everything else at sign-out, and not shown to another worker. */
const keyOf = (workerId: number) => `palette.records.${workerId}`

const isRecord = (value: unknown): value is RecentRecord =>
  typeof value === 'object' &&
  value !== null &&
  ['of', 'title'].every((key) => typeof Reflect.get(value, key) === 'string') &&
  typeof Reflect.get(value, 'id') === 'number'

/** The records opened last, the newest first; one that was opened often is in it often. */
export function readRecentRecords(workerId: number): RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(readPreference(keyOf(workerId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecord) : []
  } catch {
    return []
  }
}

/** Remembers an opened record for the palette, under its latest title; with null it is forgotten. */
export function useRecentRecord(of: string, id: number, title: string | null | undefined): void {
  const { workerId } = useSession()
  useEffect(() => {
    if (title === undefined) return
    const isThis = (one: RecentRecord) => one.of === of && one.id === id
    const before = readRecentRecords(workerId)
    const [last] = before
    const next = title
      ? [...(last && isThis(last) ? [] : [{ of, id, title }]), ...before].map((one) =>
          isThis(one) ? { ...one, title } : one,
        )
      : before.filter((one) => !isThis(one))
    savePreference(keyOf(workerId), JSON.stringify(next.slice(0, MAX_REMEMBERED)))
  }, [workerId, of, id, title])
}
