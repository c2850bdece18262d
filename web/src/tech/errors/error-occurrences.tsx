import { formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import { type ErrorOccurrence, exportOccurrences, type OccurrencePage } from '@limber/contract/tech/errors/error-log.ts'
import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { WorkerLink } from '#access/public.tsx'
import { CustomerLink } from '#support/public.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import styles from '../tech.module.css'
import { occurrencesQuery } from './error-log.api.ts'

function Person({ person }: Pick<ErrorOccurrence, 'person'>) {
  if (!person) return <span className={styles.muted}>not signed in</span>
  const name = person.name ?? `${person.kind} ${person.id}`
  if (person.kind === 'customer') return <CustomerLink id={person.id}>{name}</CustomerLink>
  if (person.kind === 'worker') return <WorkerLink id={person.id}>{name}</WorkerLink>
  return <span>{name}</span>
}

function Occurrence({ occurrence }: { occurrence: ErrorOccurrence }) {
  const { at, url, ms, requestId, person, text, cause } = occurrence
  return (
    <li className={styles.occurrence}>
      <span className={styles.line}>
        <Moment at={at} form="relative" />
        <Person person={person} />
        <span className={styles.muted}>{formatDuration(ms)}</span>
      </span>
      <code className={styles.code}>{url}</code>
      {text && <span className={styles.newest}>{text}</span>}
      {cause && <code className={styles.code}>{cause}</code>}
      {requestId && (
        <span className={styles.line}>
          <span className={styles.muted}>Request ID</span>
          <code className={styles.code}>{requestId}</code>
          <CopyButton text={requestId} label="Copy request ID" />
        </span>
      )}
    </li>
  )
}

interface Props {
  id: number
  before: string
  onBefore: (before: string) => void
}

export function Occurrences({ id, before, onBefore }: Props) {
  const query = useQuery(occurrencesQuery(id, before))
  const next = query.data?.next
  return (
    <section aria-label="Occurrences">
      <div className={styles.listHead}>
        <h3 className={styles.heading}>Occurrences</h3>
        <ExportButton
          call={exportOccurrences}
          params={{ id: String(id) }}
          total={query.data?.occurrences.length === 0 ? 0 : undefined}
        />
      </div>
      <QueryView<OccurrencePage>
        query={query}
        failure="Couldn't load occurrences"
        isEmpty={({ occurrences }) => occurrences.length === 0}
        empty={
          <EmptyState icon={IconListSearch} title="No occurrences stored">
            Details of old failures are deleted after a while. Their count is kept.
          </EmptyState>
        }
      >
        {({ occurrences }) => (
          <ul className={styles.occurrences}>
            {occurrences.map((one) => (
              <Occurrence key={one.id} occurrence={one} />
            ))}
          </ul>
        )}
      </QueryView>
      {(before !== '' || next) && (
        <div className={styles.pages}>
          <Button variant="default" size="xs" disabled={before === ''} onClick={() => onBefore('')}>
            Newest
          </Button>
          <Button variant="default" size="xs" disabled={!next} onClick={() => onBefore(next ?? '')}>
            Older
          </Button>
        </div>
      )}
    </section>
  )
}
