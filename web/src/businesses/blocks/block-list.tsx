import { exportBlocks, type PrepaidBlock } from '@limber/contract/businesses/blocks/block.ts'
import type { Business } from '@limber/contract/businesses/business/business.ts'
import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { IconClockHour4, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { StretcherLink } from '#platform/routing/stretcher-link.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { type TurnPage, useLastPage } from '#ui/table/use-last-page.ts'
import { attempt } from '../business/attempt.ts'
import { blockLabels, blockText, sessionInZone } from '../labels.ts'
import { blocksQuery, useDeleteBlock } from './block.api.ts'
import styles from './block-list.module.css'
import { CreateBlock } from './create-block.tsx'

const EditBlock = lazy(() => import('./edit-block.tsx'))

const nameOf = ({ internal_label, id }: PrepaidBlock) => internal_label || `Block ${id}`

/** The label of the block, which opens the editor, and its size. The row has no room for another button. */
function LabelCell({ block }: { block: PrepaidBlock }) {
  const [isEditing, setEditing] = useState(false)
  return (
    <span className={styles.label}>
      <UnstyledButton
        className={styles.title ?? ''}
        aria-label={`Edit block ${nameOf(block)}`}
        onClick={() => setEditing(true)}
      >
        {/* The pencil stays with the last word. */}
        {nameOf(block)}
        {'\u00a0'}
        <Icon of={IconPencil} size={12} />
      </UnstyledButton>
      <span className={styles.meta}>{blockText(block.block_hours, block.slot_length_minutes)}</span>
      <Suspense>{isEditing && <EditBlock block={block} onClose={() => setEditing(false)} />}</Suspense>
    </span>
  )
}

function SessionCell({ block, zone }: { block: PrepaidBlock; zone: string }) {
  const { session, state, expires_on } = block
  if (!session)
    return (
      <span className={styles.label}>
        <span className={styles.meta}>{blockLabels[state]}</span>
        {expires_on && (
          <span className={styles.meta}>
            {state === 'expired' ? 'Last day was' : 'Last day'} {dayText(expires_on)}
          </span>
        )}
      </span>
    )
  return (
    <span className={styles.session}>
      <span>{sessionInZone(session, zone, now())}</span>
      <span className={styles.meta}>
        <StretcherLink id={session.stretcher_id}>{session.stretcher_name}</StretcherLink> · {session.taken_slots} of{' '}
        {session.slots} slots
      </span>
    </span>
  )
}

interface ActionsProps {
  block: PrepaidBlock
  isArchived: boolean
  onOpen: (block: number) => void
}

function BlockActions({ block, isArchived, onOpen }: ActionsProps) {
  const remove = useDeleteBlock()
  const ask = async () => {
    const isSure = await confirm({
      title: 'Delete this block?',
      body: `“${nameOf(block)}”, ${blockText(block.block_hours, block.slot_length_minutes)}, will be deleted. Its hours no longer count.`,
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await attempt(remove.mutateAsync({ block_id: block.id }), (reply) => toastUndo('Block deleted.', reply))
  }
  return (
    <span className={styles.actions}>
      {block.is_used === 1 ? (
        <Button variant="default" size="xs" onClick={() => onOpen(block.id)}>
          View Session
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          disabled={block.state === 'expired' || isArchived}
          onClick={() => onOpen(block.id)}
        >
          Activate / schedule
        </Button>
      )}
      <ActionIcon
        size={28}
        aria-label={`Delete block ${nameOf(block)}`}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        <Icon of={IconTrash} />
      </ActionIcon>
    </span>
  )
}

interface Props {
  business: Business
  page: number
  onPage: TurnPage
  onOpen: (block: number) => void
}

/** The prepaid blocks of a business. Unused ones can be scheduled; used ones show their session. */
export function BlockList({ business, page, onPage, onOpen }: Props) {
  const query = useQuery({
    ...blocksQuery(business.id, page),
    select: ({ blocks, pagination }) => ({ ...pagination, rows: blocks }),
  })
  const pages = query.data?.totalPages ?? 1
  useLastPage(query, ({ totalPages }) => totalPages, page, onPage)
  const columns: Column<PrepaidBlock>[] = [
    {
      key: 'label',
      title: 'Internal label',
      isTitle: true,
      cell: (block) => <LabelCell block={block} />,
    },
    {
      key: 'session',
      title: 'Session',
      isPlain: true,
      cell: (block) => <SessionCell block={block} zone={business.time_zone} />,
    },
    {
      key: 'actions',
      title: 'Actions',
      hidesHead: true,
      isRight: true,
      cell: (block) => <BlockActions block={block} isArchived={business.archived_at !== null} onOpen={onOpen} />,
    },
  ]
  return (
    <SectionCard
      title="Prepaid blocks"
      count={query.data?.totalItems}
      actions={<ExportButton call={exportBlocks} query={{ business_id: business.id }} total={query.data?.totalItems} />}
      isFlush
    >
      <DataTable
        label="Prepaid blocks"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        density="two-line"
        isStacking
        failure="Couldn't load blocks"
        empty={
          <EmptyState icon={IconClockHour4} title="No prepaid blocks yet">
            Create the first block below to schedule a session.
          </EmptyState>
        }
      />
      {pages > 1 && (
        <div className={styles.foot}>
          <Pager label="Pages of blocks" page={page} pages={pages} onPage={onPage} />
        </div>
      )}
      {!business.archived_at && <CreateBlock businessId={business.id} />}
    </SectionCard>
  )
}
