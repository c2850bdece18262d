import { type AuditRow, exportAudit } from '@limber/contract/access/audit/audit.ts'
import { Button } from '@mantine/core'
import { IconListSearch, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { auditQuery, useVerifyChain } from '../access.api.ts'
import frame from '../sign-in/access-frame.module.css'
import { AccessFrame } from '../sign-in/access-frame.tsx'
import styles from './audit.module.css'
import { AuditEntry } from './audit-entry.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { outcomeLabels, reasonText } from './audit-labels.ts'
import { AuditSearch } from './audit-search.ts'
import { auditActor, auditPhrase } from './audit-sentence.ts'
import { ChainVerdict } from './chain-verdict.tsx'

const columns: Column<AuditRow>[] = [
  { key: 'at', title: 'When', cell: ({ at }) => <Moment at={at} /> },
  {
    key: 'action',
    title: 'What happened',
    isTitle: true,
    cell: (entry) => (
      <span className={styles.sentence}>
        <b>{auditActor(entry)}</b> {auditPhrase(entry)}
      </span>
    ),
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <StatusDot meaning={outcome === 'done' ? 'plain' : 'red'}>{outcomeLabels[outcome]}</StatusDot>
    ),
  },
  { key: 'reason', title: 'Reason', cell: (entry) => reasonText(entry) ?? '' },
]

/** Only the filters that are set. */
function filterOf({ entry: _, outcome, others, ...texts }: AuditSearch) {
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''))
  return { ...given, ...(outcome ? { outcome } : {}), ...(others ? { others } : {}) }
}

export default function Audit() {
  const [search, change] = useSearchState(AuditSearch)
  const reply = useQuery(auditQuery(filterOf(search)))
  const query = useQuery({
    ...auditQuery(filterOf(search)),
    select: ({ entries }): TablePage<AuditRow> => ({ rows: entries, totalItems: entries.length }),
  })
  const verify = useVerifyChain()
  const next = reply.data?.next
  const loaded = reply.data?.entries
  const filters = filterOf({ ...search, before: '' })
  const actions = (
    <>
      <ExportButton call={exportAudit} query={filters} />
      <Button
        variant="default"
        leftSection={<Icon of={IconShieldCheck} />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        Verify chain
      </Button>
    </>
  )
  const foot = (
    <div className={styles.foot}>
      <Button variant="default" size="xs" disabled={search.before === ''} onClick={() => change({ before: '' })}>
        Newest
      </Button>
      <Button variant="default" size="xs" disabled={!next} onClick={() => change({ before: next ?? '' })}>
        Older
      </Button>
    </div>
  )
  return (
    <AccessFrame context="Who did what, newest first. Entries cannot be changed or deleted." actions={actions}>
      <div className={frame.page}>
        <ChainVerdict verify={verify} />
        <SectionCard title="Audit log" isFlush foot={foot}>
          <AuditFilters search={search} onChange={(part) => change({ ...part, before: '' }, { replace: true })} />
          <DataTable
            label="Audit log entries"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            onOpen={({ id }) => change({ entry: id })}
            openKey={search.entry || null}
            density="tight"
            isStacking
            empty={
              <EmptyState icon={IconListSearch} title="No entries found">
                Clear a filter to see more.
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      {search.entry > 0 && (loaded || reply.isError) && (
        <AuditEntry key={search.entry} id={search.entry} loaded={loaded ?? []} onClose={() => change({ entry: 0 })} />
      )}
    </AccessFrame>
  )
}
