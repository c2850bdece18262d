import { VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import { Icon } from '../layout/icon.tsx'
import styles from './change.module.css'

interface Props {
  /** The sign gives the direction. */
  by: number
  /** The formatted difference without a sign: `6.2%`. */
  text: string
  /** Which direction is good: `down` for a response time. */
  good?: 'up' | 'down' | 'neither'
}

/** The change from the previous period: the arrow shows the direction, the color shows good or bad. */
export function Change({ by, text, good = 'up' }: Props) {
  const direction = by > 0 ? 'up' : by < 0 ? 'down' : 'same'
  const meaning = direction === 'same' || good === 'neither' ? 'plain' : direction === good ? 'good' : 'bad'
  const spoken = { up: 'up', down: 'down', same: 'unchanged' }[direction]
  const arrow = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus }[direction]
  return (
    <span className={styles.change} data-meaning={meaning}>
      <Icon of={arrow} size={12} />
      <VisuallyHidden>{spoken} </VisuallyHidden>
      {text}
    </span>
  )
}
