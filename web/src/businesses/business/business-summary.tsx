import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { now } from '#platform/clock.ts'
import { linkTo } from '#platform/routing/links.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'
import { unusedBlocksQuery } from '../blocks/block.api.ts'
import { sessionsQuery } from '../calendar/calendar.api.ts'

const SHOWN = 6
const WEEK = 7

const nameOf = ({ id, name }: { id: number; name: string }) => (
  <Link {...linkTo('/worker/managing/businesses', { business: id })}>{name}</Link>
)

/** The blocks that expire first, and the sessions of the coming week. */
export function BusinessSummary() {
  const today = companyDay(now())
  const blocks = useQuery(unusedBlocksQuery).data
  const sessions = useQuery(sessionsQuery(today, addDays(today, WEEK))).data?.sessions ?? []
  const coming = sessions.filter(({ status }) => status === 'scheduled')
  const problems = coming.filter(({ problem }) => problem !== null)
  return (
    <MasterSummary
      title="Select a business"
      hint="to see its prepaid blocks, its sessions and the people who can book a slot."
    >
      {problems.length > 0 && (
        <SummaryList
          title="Needs another stretcher"
          count={formatInteger(problems.length)}
          rows={problems.slice(0, SHOWN).map((session) => ({
            id: session.id,
            name: nameOf(session.business),
            value: <Moment at={session.starts_at} />,
            note: `${session.stretcher.name} is not ready for it.`,
          }))}
          none=""
        />
      )}
      <SummaryList
        title="Prepaid blocks to schedule"
        {...(blocks && { count: `${formatInteger(blocks.blocks.length)}${blocks.isMore ? '+' : ''}` })}
        rows={(blocks?.blocks ?? []).slice(0, SHOWN).map((block) => ({
          id: block.id,
          name: nameOf(block.business),
          value: `${block.block_hours} h`,
          note: block.expires_on ? `Expires ${dayText(block.expires_on)}` : 'Never expires',
        }))}
        none="Every prepaid block is scheduled."
      />
      <SummaryList
        title="Sessions in the next 7 days"
        count={formatInteger(coming.length)}
        rows={coming.slice(0, SHOWN).map((session) => ({
          id: session.id,
          name: nameOf(session.business),
          value: <Moment at={session.starts_at} />,
          note: `${session.stretcher.name}, ${session.taken_slots} of ${session.slots} slots taken`,
        }))}
        none="No session is scheduled for the next 7 days."
      />
    </MasterSummary>
  )
}
