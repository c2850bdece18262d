import type { FigureName } from '@limber/contract/growth/overview/figure.ts'
import type { TeamMember } from '@limber/contract/growth/team/team.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { WorkerLink } from '#access/public.tsx'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { rosterQuery } from './team.api.ts'
import styles from './team.module.css'
import { UnassignCampaign } from './unassign-campaign.tsx'

function Presence({ member: { isPending, online, lastActive } }: { member: TeamMember }) {
  if (isPending) return <StatusDot meaning="amber">Invited</StatusDot>
  if (online) return <StatusDot meaning="green">Online</StatusDot>
  return (
    <StatusDot>
      {lastActive ? (
        <span>
          Last active <Moment at={lastActive} form="relative" />
        </span>
      ) : (
        'Never active'
      )}
    </StatusDot>
  )
}

/** The campaigns of a member. Each can be unassigned. */
const Campaigns = ({ member }: { member: TeamMember }) => (
  <ul className={styles.held}>
    {member.campaigns.map((campaign) => (
      <li key={campaign.id}>
        <RecordLink to="/growth/campaigns" search={{ campaign: campaign.id }} needs="growth.tab">
          {campaign.name}
        </RecordLink>{' '}
        <UnassignCampaign campaign={campaign} member={member} />
      </li>
    ))}
  </ul>
)

export type OpenMember = (figure: FigureName, worker: number) => void

function Member({ member, onOpen }: { member: TeamMember; onOpen: OpenMember }) {
  const { id, name, role, city, campaigns, leadsContacted, leadsConverted } = member
  return (
    <tr>
      <th scope="row">
        <WorkerLink id={id}>{name}</WorkerLink>
      </th>
      <td>{role ?? '--'}</td>
      <td>
        <Presence member={member} />
      </td>
      <td>{city ?? '--'}</td>
      <td>{campaigns.length === 0 ? '--' : <Campaigns member={member} />}</td>
      <td className={figure}>
        <FigureLink label={`${name}, contacted`} onOpen={() => onOpen('contactedLeads', id)}>
          {formatInteger(leadsContacted)}
        </FigureLink>
      </td>
      <td className={figure}>
        <FigureLink label={`${name}, converted`} onOpen={() => onOpen('convertedLeads', id)}>
          {formatInteger(leadsConverted)}
        </FigureLink>
      </td>
    </tr>
  )
}

export function Roster({ onOpen }: { onOpen: OpenMember }) {
  const query = useQuery(rosterQuery)
  return (
    <SectionCard title="Marketing/Growth Team Roster" count={query.data?.team.length} isFlush>
      <QueryView
        query={query}
        isEmpty={({ team }) => team.length === 0}
        empty={<p className={styles.none}>No team members available</p>}
      >
        {({ team }) => (
          <PlainTable label="Marketing/Growth Team Roster">
            <thead>
              <tr>
                <th>Name</th>
                <th>Role</th>
                <th>Status</th>
                <th>Main City</th>
                <th>Active Campaigns</th>
                <th className={figure}>Contacted</th>
                <th className={figure}>Converted</th>
              </tr>
            </thead>
            <tbody>
              {team.map((member) => (
                <Member key={member.id} member={member} onOpen={onOpen} />
              ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </SectionCard>
  )
}
