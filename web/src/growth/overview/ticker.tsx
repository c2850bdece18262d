import type { Warning } from '@limber/contract/growth/overview/health.ts'
import { IconCalendarDue, IconMessageOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { placeAt } from '#platform/routing/places.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { dueText } from '../words.ts'
import styles from './overview.module.css'

const saying = ({ kind, day, neverContacted, isOverdue }: Warning) =>
  kind === 'no_contact'
    ? neverContacted
      ? `never contacted, added ${dayText(day)}`
      : `no contact since ${dayText(day)}`
    : dueText({ kind, day, isOverdue })

/** Partners that want attention: what is overdue, renewals within 30 days, then silences of more than 30. */
export function Ticker({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    // A region that scrolls must be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways
    <section className={styles.ticker} aria-label="Warnings" tabIndex={0}>
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.kind}-${warning.businessId}`}>
            <Icon of={warning.kind === 'no_contact' ? IconMessageOff : IconCalendarDue} size={14} />
            <Link {...placeAt('/growth/business', { partner: warning.businessId })}>{warning.name}</Link>{' '}
            <span>{saying(warning)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
