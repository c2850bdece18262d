import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { now } from '#platform/clock.ts'
import styles from '../charts/figures.module.css'
import { ageText, type MomentForm, momentText, readMoment, recentText, utcText } from './moment-text.ts'

interface Props {
  at: string | null | undefined
  /** `age` is how old it is, in few letters. */
  form?: MomentForm | 'age'
  /** Says `6 min ago` for what is less than a day old. */
  isRecent?: boolean
  /** What stands for no moment at all. */
  absent?: string
}

const ticks = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all relative times on the page. */
function useTick(isWanted: boolean): Date {
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

/** A moment in local time; the exact UTC instant shows on hover. */
export function Moment({ at, form = 'moment', isRecent = false, absent = '--' }: Props) {
  const isAge = form === 'age'
  const present = useTick(isRecent || isAge)
  if (at === null || at === undefined) return <span>{absent}</span>
  const text = isAge ? ageText(at, present) : isRecent ? recentText(at, present) : momentText(at, form)
  if (!readMoment(at)) return <span>{text}</span>
  return (
    <Tooltip label={utcText(at)}>
      <time className={styles.figures} dateTime={at}>
        {text}
      </time>
    </Tooltip>
  )
}
