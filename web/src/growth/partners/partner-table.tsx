import type { PartnerBusiness, PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button, Checkbox, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure } from '#ui/table/plain-table.tsx'
import { dollars } from '../labels.ts'
import { tableLabels } from './labels.ts'
import { PagedRows } from './paged-rows.tsx'
import { partnersQuery } from './partner.api.ts'
import type { ChangeSearch, PartnerSearch } from './partner-search.ts'
import styles from './partners.module.css'

interface Cell {
  title: string
  cell: (partner: PartnerBusiness) => ReactNode
  isFigure?: boolean
}

const count = (title: string, of: (partner: PartnerBusiness) => number): Cell => ({
  title,
  cell: (partner) => formatInteger(of(partner)),
  isFigure: true,
})

const representative: Cell = { title: 'Representative', cell: ({ repName, repEmail }) => repName ?? repEmail }
const listSize = count('Email List Size', (partner) => partner.emailListSize)
const outcome: readonly Cell[] = [
  representative,
  listSize,
  count('Active Users (30d)', (partner) => partner.activeUsers),
  count('On-Site Sessions', (partner) => partner.onSiteSessions),
  count('Total User Sessions', (partner) => partner.totalUserSessions),
  { title: 'Total Revenue', cell: ({ totalRevenue }) => dollars(totalRevenue), isFigure: true },
  { title: 'Avg Rating', cell: ({ avgRating }) => avgRating?.toFixed(2) ?? '--', isFigure: true },
]

const cells: Record<PartnerStatus, readonly Cell[]> = {
  contacted: [
    { title: 'Contact Email', cell: ({ repEmail }) => repEmail },
    count('Times Contacted', (partner) => partner.timesContacted),
    { title: 'Last Contact', cell: ({ lastContact }) => <Moment at={lastContact} form="day" absent="Never" /> },
  ],
  pending: [...outcome, { title: 'Pilot Expiry', cell: ({ pilotEndsOn }) => dayText(pilotEndsOn) }],
  active: [...outcome, { title: 'Renewal Date', cell: ({ renewalDate }) => dayText(renewalDate) }],
  inactive: [
    representative,
    listSize,
    { title: 'Reason', cell: ({ endedReason }) => endedReason ?? 'No renewal date' },
  ],
}

interface Props {
  status: PartnerStatus
  search: PartnerSearch
  change: ChangeSearch
  onWrite: (partner: PartnerBusiness) => void
  /** The partners selected for an email. */
  chosen: readonly number[]
  onChoose: (partner: PartnerBusiness, isChosen: boolean) => void
}

const classOf = ({ isFigure }: Cell) => (isFigure ? { className: figure } : {})

/** The partners with one status, by name. A name opens the partner. */
export function PartnerTable({ status, search, change, onWrite, chosen, onChoose }: Props) {
  const { title, empty } = tableLabels[status]
  const page = search[status]
  const query = useQuery(partnersQuery({ status, kind: search.tab, search: search.q, page: String(page), limit: '10' }))
  return (
    <SectionCard title={title} count={query.data?.pagination.totalItems} isFlush>
      <PagedRows
        label={title}
        query={query}
        rowsOf={({ businesses }) => businesses}
        none={
          status === 'contacted' && search.q === '' ? (
            <>
              {empty}
              <br />
              <RecordLink to="/worker/managing/businesses" needs="businesses.manage">
                Business administration
              </RecordLink>
            </>
          ) : (
            empty
          )
        }
        page={page}
        onPage={(next, how) => change({ [status]: next }, how)}
      >
        {(partners) => (
          <>
            <thead className={styles.wrapped}>
              <tr>
                <th className={styles.tick}>
                  <VisuallyHidden>Selected</VisuallyHidden>
                </th>
                <th>Business Name</th>
                {cells[status].map((cell) => (
                  <th key={cell.title} {...classOf(cell)}>
                    {cell.title}
                  </th>
                ))}
                <th className={figure}>Actions</th>
              </tr>
            </thead>
            <tbody>
              {partners.map((partner) => (
                <tr key={partner.id}>
                  <td className={styles.tick}>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${partner.name}`}
                      checked={chosen.includes(partner.id)}
                      onChange={(event) => onChoose(partner, event.currentTarget.checked)}
                    />
                  </td>
                  <th scope="row">
                    <button type="button" className={styles.name} onClick={() => change({ partner: partner.id })}>
                      {partner.name}
                    </button>
                  </th>
                  {cells[status].map((cell) => (
                    <td key={cell.title} {...classOf(cell)}>
                      {cell.cell(partner)}
                    </td>
                  ))}
                  <td className={figure}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Email ${partner.name}`}
                      onClick={() => onWrite(partner)}
                    >
                      Email
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </>
        )}
      </PagedRows>
    </SectionCard>
  )
}
