import type { LeadDetail } from '@limber/contract/marketing/leads/lead.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { withSearch } from '#platform/routing/links.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Moment } from '#ui/format/moment.tsx'
import styles from './lead-detail.module.css'
import { statusLabels } from './lead-labels.ts'

const whyLabels: Record<LeadDetail['duplicates'][number]['why'], string> = {
  'same e-mail': 'same email',
  'same phone': 'same phone',
}

const MergeLeads = lazy(async () => ({ default: (await import('./merge-leads.tsx')).MergeLeads }))

/** Possible duplicates of the lead, each with a button to merge. */
export function LeadDuplicates({ lead }: { lead: LeadDetail }) {
  const [mergingId, setMerging] = useState<number>()
  if (lead.duplicates.length === 0) return null
  const merging = lead.duplicates.find(({ id }) => id === mergingId)
  return (
    <Banner kind="amber">
      {lead.duplicates.length === 1 ? 'Another lead may be the same person:' : 'Other leads may be the same person:'}
      <ul className={styles.duplicates}>
        {lead.duplicates.map((one) => (
          <li key={one.id}>
            <span>
              <Link {...withSearch<'/growth/conversion'>({ lead: one.id })}>{one.name}</Link>, {whyLabels[one.why]},{' '}
              {statusLabels[one.status]}, <Moment at={one.createdAt} form="day" />
            </span>
            <Button
              size="xs"
              variant="default"
              aria-label={`Merge… ${one.name}, lead ${one.id}`}
              onClick={() => setMerging(one.id)}
            >
              Merge…
            </Button>
          </li>
        ))}
      </ul>
      {merging && (
        <Suspense fallback={null}>
          <MergeLeads lead={lead} otherId={merging.id} onClose={() => setMerging(undefined)} />
        </Suspense>
      )}
    </Banner>
  )
}
