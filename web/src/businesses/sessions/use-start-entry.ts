import { roundUpToFive } from '@limber/contract/kit/zone-time.ts'
import { useEffect, useState } from 'react'
import { now } from '#platform/clock.ts'
import { entryOf } from './start-time.ts'

/**
 * The start of a new session. Without a given one: now, rounded up to five minutes, which moves with the clock until another
 * start is selected.
 */
export function useStartEntry(zone: string, given?: Date) {
  const [chosen, setChosen] = useState(given && entryOf(given, zone))
  const [proposed, setProposed] = useState(() => roundUpToFive(now()))
  const isUntouched = chosen === undefined
  useEffect(() => {
    if (!isUntouched) return
    // A time exactly on five minutes stays for that moment.
    const left = proposed.getTime() + 1 - now().getTime()
    const timer = setTimeout(() => setProposed(roundUpToFive(now())), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [isUntouched, proposed])
  return [chosen ?? entryOf(proposed, zone), setChosen] as const
}
