import { useEffect, useState } from 'react'
import { now } from '#platform/clock.ts'

const MINUTE = 60_000

/** The current time, updated every minute. */
export function useMinute(): Date {
  const [moment, setMoment] = useState(now)
  useEffect(() => {
    const timer = setTimeout(() => setMoment(now()), MINUTE - (moment.getTime() % MINUTE))
    return () => clearTimeout(timer)
  }, [moment])
  return moment
}
