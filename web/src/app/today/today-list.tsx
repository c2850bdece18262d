import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Href } from '#platform/routing/links.ts'
import { parseSearch } from '#platform/routing/search.ts'
import type { TodayItem, TodayNote, TodayNumber } from '#platform/routing/sections.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './today.module.css'

/** The router takes path and search parameters separately. */
function placeOf(path: Href) {
  const [to = '', search = ''] = path.split('?')
  return { to, search: parseSearch(search) }
}

interface ActionProps {
  item: TodayItem
  isPrimary: boolean
  onDone: () => void
}

function Action({ item: { title, path, action }, isPrimary, onDone }: ActionProps) {
  const [isRunning, setRunning] = useState(false)
  const { label, run } = action
  const props = {
    size: 'xs',
    variant: isPrimary ? 'filled' : 'default',
    'aria-label': `${label}: ${title}`,
    'data-row': true,
  } as const
  if (!run)
    return (
      <Button {...props} renderRoot={(root) => <Link {...placeOf(path)} {...root} />}>
        {label}
      </Button>
    )
  const start = async () => {
    setRunning(true)
    await run().finally(() => setRunning(false))
    onDone()
  }
  return (
    <Button {...props} aria-busy={isRunning} onClick={() => !isRunning && void start()}>
      {label}
    </Button>
  )
}

/** What needs attention, each with its next step. */
export function NeedList({
  label,
  items,
  first,
  onDone,
}: {
  label: string
  items: readonly TodayItem[]
  /** The item whose action is the primary one of the page. */
  first: TodayItem | undefined
  onDone: () => void
}) {
  return (
    <ol aria-label={label}>
      {items.map((item) => (
        <li key={item.id} className={styles.need} data-need={item.need}>
          <span className={styles.icon}>
            <Icon of={item.icon} />
          </span>
          <div className={styles.text}>
            <Link {...placeOf(item.path)} className={styles.title ?? ''}>
              {item.title}
            </Link>
            {item.detail && <p>{item.detail}</p>}
          </div>
          {item.when && (
            <span className={styles.when} data-urgent={item.isUrgent || undefined}>
              {item.when}
            </span>
          )}
          <div className={styles.action}>
            <Action item={item} isPrimary={item === first} onDone={onDone} />
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Links with a time, such as the next sessions. */
export function NoteList({ label, notes }: { label: string; notes: readonly TodayNote[] }) {
  return (
    <ul aria-label={label} className={styles.notes}>
      {notes.map(({ id, title, detail, when, path }) => (
        <li key={id}>
          <Link {...placeOf(path)}>
            <span>{title}</span>
            {detail && <small>{detail}</small>}
          </Link>
          {when && <small>{when}</small>}
        </li>
      ))}
    </ul>
  )
}

export function NumberList({ numbers }: { numbers: readonly TodayNumber[] }) {
  return (
    <ul className={styles.numbers}>
      {numbers.map(({ id, label, value, isUrgent, path }) => (
        <li key={id}>
          <Link {...placeOf(path)}>
            <span>{label}</span> <b data-urgent={isUrgent || undefined}>{value}</b>
          </Link>
        </li>
      ))}
    </ul>
  )
}
