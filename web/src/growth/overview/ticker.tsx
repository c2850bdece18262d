import type { Warning } from '@limber/contract/growth/overview/health.ts'
import { IconCalendarDue, IconMessageOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { dueText } from '../labels.ts'
import styles from './overview.module.css'

const warningText = ({ kind, day, neverContacted, isOverdue }: Warning) =>
  kind === 'no_contact'
    ? neverContacted
      ? `never contacted, added ${dayText(day)}`
      : `no contact since ${dayText(day)}`
    : dueText({ kind, day, isOverdue })

/** Partners that need attention: overdue ones, renewals within 30 days, then partners without contact for over 30 days. */
export function Ticker({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    // A scrollable region must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways
    <section className={styles.ticker} aria-label="Warnings" tabIndex={0}>
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.kind}-${warning.businessId}`}>
            <Icon of={warning.kind === 'no_contact' ? IconMessageOff : IconCalendarDue} size={14} />
            <Link {...linkTo('/growth/business', { partner: warning.businessId })}>{warning.name}</Link>{' '}
            <span>{warningText(warning)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
