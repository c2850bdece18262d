import type { PlaceCampaign } from '@limber/contract/growth/campaigns/result.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { campaignPhaseLabels } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { dayText } from '#ui/format/day-text.ts'
import { signed } from '../labels.ts'
import styles from './heatmap.module.css'

/** The users that were expected, those that came, and those that similar zones would have brought. */
function Outcome({ marks }: PlaceCampaign['result']) {
  const measured = marks.flatMap((mark) => (mark.measured ? [{ ...mark, change: mark.measured }] : []))
  if (measured.length === 0)
    return <div>Expected after 90 days: {signed(marks.at(-1)?.expected.users ?? 0)} users. Not measured yet.</div>
  return measured.map(({ afterDays, change, expected, similar }) => (
    <div key={afterDays}>
      After {afterDays} days: {signed(change.users)} users, {signed(expected.users)} expected
      {similar?.users != null && `, ${signed(similar.users)} like similar zones`}
    </div>
  ))
}

/** The campaigns of a zone or city, expected and measured. */
export function CityCampaigns({ campaigns }: { campaigns: readonly PlaceCampaign[] }) {
  if (campaigns.length === 0)
    return <p className={styles.none}>No campaigns yet. Start one here to measure its effect.</p>
  return (
    <ul className={styles.tasks}>
      {campaigns.map(({ id, name, status, start_date, result }) => (
        <li key={id}>
          <div className={styles.task}>
            <Link className={styles.link} {...linkTo('/growth/campaigns', { campaign: id })}>
              {name}
            </Link>
            <span className={styles.due}>
              {campaignPhaseLabels[status]}, from {dayText(start_date)}
            </span>
          </div>
          <div className={styles.result}>
            {result.before && <div>Before: {formatInteger(result.before.users)} users</div>}
            <Outcome {...result} />
          </div>
        </li>
      ))}
    </ul>
  )
}
