import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'
import { Dollars } from '../dollars.tsx'
import { PeriodLink } from '../lists/record-links.tsx'
import { storyQuery } from '../payroll.api.ts'

const nameOf = (id: number, name: string) => (
  <Link {...linkTo('/worker/financial/earners', { earner: id })}>{name}</Link>
)

/** The next pay date: who lacks a tax profile, and whose pay changed most. */
export function EarnersSummary() {
  const canRead = useCan('payroll.details')
  const story = useQuery({ ...storyQuery(0), enabled: canRead }).data?.story
  return (
    <MasterSummary
      title="Select an earner to view details"
      hint="such as the W-4, the DE 4, the year to date and settlements."
    >
      {story && (
        <>
          <SummaryList
            title="Next pay date"
            count={dayText(story.period.pay_date)}
            rows={[
              {
                id: 'gross',
                name: <PeriodLink id={story.period.id} from={story.period.starts_on} to={story.period.ends_on} />,
                value: <Dollars of={story.totals.amount} />,
                note: `${pluralize(story.totals.earners, 'earner')}, ${pluralize(story.totals.entries, 'entry', 'entries')}`,
              },
            ]}
            none=""
          />
          <SummaryList
            title="Without a tax profile"
            count={formatInteger(story.open.without_profile.count)}
            rows={story.open.without_profile.earners.map(({ id, name }) => ({
              id,
              name: nameOf(id, name),
              note: 'Taxes are withheld as single with no allowances.',
            }))}
            none="Everyone who is paid next has one."
          />
          <SummaryList
            title="Largest changes"
            {...(story.before && {
              count: `since ${formatDayRange(story.before.starts_on, story.before.ends_on)}`,
            })}
            rows={story.changes.map(({ earner_id, name, amount, amount_before }) => ({
              id: earner_id,
              name: nameOf(earner_id, name),
              value: <Dollars of={amount - amount_before} isSigned />,
            }))}
            none="No pay changed since the period before."
          />
        </>
      )}
    </MasterSummary>
  )
}
