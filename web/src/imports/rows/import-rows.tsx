import { exportImportRows, type Import, type ImportRow } from '@limber/contract/imports/import.ts'
import { importKinds } from '@limber/contract/imports/import-kinds.ts'
import type { RowOutcome, RowState } from '@limber/contract/imports/import-values.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconArrowRight, IconListSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { rowsQuery } from '../import.api.ts'
import styles from './import-rows.module.css'
import { RowSubject } from './row-subject.tsx'

/** What an update changes: the old value, struck out, and the new one. */
export function Changes({ changes }: Pick<ImportRow, 'changes'>) {
  return changes.map(({ label, before, after }) => (
    <span key={label} className={styles.change}>
      {label} {before !== null && <del>{before}</del>}
      <Icon of={IconArrowRight} size={12} />
      {after === null ? <span className={styles.quiet}>empty</span> : <ins>{after}</ins>}
    </span>
  ))
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function columnsOf({ resource }: Import, state: RowState): Column<ImportRow>[] {
  const line: Column<ImportRow> = {
    key: 'line',
    title: 'Line',
    width: 72,
    cell: ({ line: at }) => <span className={styles.line}>{formatInteger(at)}</span>,
  }
  const subject: Column<ImportRow> = {
    key: 'subject',
    title: capitalized(importKinds[resource].one),
    isTitle: true,
    cell: (row) => <RowSubject resource={resource} row={row} />,
  }
  const value: Column<ImportRow> = {
    key: 'value',
    title: 'Value',
    cell: ({ field, value: text }) =>
      text === null ? (
        <span className={styles.quiet}>{field ?? '--'}</span>
      ) : (
        <span className={styles.bad} title={field ?? undefined}>
          {text || 'empty'}
        </span>
      ),
  }
  const reason: Column<ImportRow> = {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason: group, detail }) => <span className={styles.reason}>{detail ?? group ?? '--'}</span>,
  }
  const changes: Column<ImportRow> = {
    key: 'changes',
    title: 'Changes',
    cell: ({ changes: list, detail }) => (
      <span className={styles.reason}>
        <Changes changes={list} /> {detail && <span className={styles.quiet}>{detail}</span>}
      </span>
    ),
  }
  if (state === 'rejected') return [line, subject, value, reason]
  if (state === 'skipped' || state === 'changed_since') return [line, subject, reason]
  return state === 'update' ? [line, subject, changes] : [line, subject]
}

interface Props {
  one: Import
  title: string
  state: RowState
  outcome?: RowOutcome
  reason?: string
  actions?: ReactNode
}

/** The rows of the file with one result, each with its line and what is to be said about it. */
export function ImportRows({ one, title, state, outcome, reason, actions }: Props) {
  const table = useTableState('imports.rows', { limit: 10 })
  const filter = { state, ...(outcome && { outcome }), ...(reason && { reason }) }
  const query = useQuery({
    ...rowsQuery(one.id, { ...filter, page: String(table.page), limit: String(table.limit) }),
    select: ({ rows, pagination }) => ({ rows, totalItems: pagination.totalItems }),
  })
  const total = query.data?.totalItems
  return (
    <SectionCard
      title={title}
      count={total === undefined ? undefined : pluralize(total, 'row')}
      actions={
        <>
          {actions}
          <ExportButton call={exportImportRows} params={{ id: String(one.id) }} query={filter} total={total} />
        </>
      }
      isFlush
    >
      <DataTable
        label={title}
        query={query}
        columns={columnsOf(one, state)}
        keyOf={({ line }) => line}
        state={table}
        failure="Couldn't load the rows"
        empty={
          <EmptyState icon={IconListSearch} title="No rows">
            No row of the file has this result.
          </EmptyState>
        }
      />
    </SectionCard>
  )
}
