import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { now } from '#platform/clock.ts'
import styles from '../charts/figures.module.css'
import { type MomentForm, momentText, readMoment } from './moment-text.ts'

interface Props {
  at: string | null | undefined
  /** `age` is the short age; `relative` says `6 min ago`. */
  form?: MomentForm
  /** Shown when there is no timestamp. */
  absent?: string
}

const ticks = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, every half minute. Shares one timer among all relative times on the page. */
export function useTick(isWanted: boolean): Date {
  const [at, setAt] = useState(now)
  useEffect(() => {
    if (!isWanted) return
    const tick = () => setAt(now())
    ticks.add(tick)
    timer ??= setInterval(() => {
      for (const one of ticks) one()
    }, 30_000)
    return () => {
      ticks.delete(tick)
      if (ticks.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [isWanted])
  return at
}

/** A timestamp in the company's time zone, with the exact time on hover. */
export function Moment({ at, form = 'moment', absent = '--' }: Props) {
  const present = useTick(form === 'relative' || form === 'age')
  if (at === null || at === undefined) return <span>{absent}</span>
  const text = momentText(at, form, present)
  if (!readMoment(at)) return <span>{text}</span>
  return (
    <Tooltip label={momentText(at, 'exact')}>
      <time className={styles.figures} dateTime={at}>
        {text}
      </time>
    </Tooltip>
  )
}
