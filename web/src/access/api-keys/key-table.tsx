import type { ApiKey, ApiKeyList } from '@limber/contract/access/api-keys/api-key.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { now } from '#platform/clock.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ActionMenu } from '../secrets/action-menu.tsx'
import styles from './api-keys.module.css'
import { errorRate, isEnded, keyStatus, scopesLabel } from './key-labels.ts'

/** A part of calls that a person should look at. */
const HIGH_ERROR_RATE = 0.01

export type KeyAction = 'rotate' | 'edit' | 'revoke'

interface Props {
  query: UseQueryResult<ApiKeyList>
  openId: number | undefined
  onOpen: (key: ApiKey) => void
  onAct: (key: ApiKey, action: KeyAction) => void
  empty: ReactNode
}

const muted = (key: ApiKey, content: ReactNode) => (
  <span className={key.revokedAt ? styles.revoked : undefined}>{content}</span>
)

const columns = (onAct: Props['onAct']): Column<ApiKey>[] => [
  {
    key: 'name',
    title: 'Name',
    isTitle: true,
    cell: (key) =>
      muted(
        key,
        <>
          {key.name}
          <span className={styles.publicId}>lmb_{key.publicId}_…</span>
        </>,
      ),
  },
  { key: 'source', title: 'Source', cell: (key) => muted(key, key.source) },
  {
    key: 'scopes',
    title: 'Scopes',
    cell: (key) => <div className={styles.scopes}>{scopesLabel(key.scopes)}</div>,
  },
  {
    key: 'used',
    title: 'Last used',
    cell: ({ lastUsedAt, lastUsedAddress }) => (
      <>
        <Moment at={lastUsedAt} form="relative" absent="–" />
        {lastUsedAddress && <span className={styles.address}>{lastUsedAddress}</span>}
      </>
    ),
  },
  { key: 'calls', title: 'Calls, 30 days', isRight: true, cell: ({ calls }) => formatInteger(calls) },
  {
    key: 'errors',
    title: 'Errors',
    isRight: true,
    cell: (key) => (
      <span className={key.errors > key.calls * HIGH_ERROR_RATE ? styles.high : styles.quiet}>{errorRate(key)}</span>
    ),
  },
  {
    key: 'expires',
    title: 'Expires',
    cell: ({ revokedAt, expiresOn }) => (
      <span className={styles.second}>{revokedAt ? '–' : dayText(expiresOn, 'Never')}</span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    cell: (key) => {
      const { meaning, text } = keyStatus(key, now())
      return <StatusDot meaning={meaning}>{text}</StatusDot>
    },
  },
  {
    key: 'actions',
    title: 'Actions',
    hidesHead: true,
    isRight: true,
    cell: (key) => !key.revokedAt && <KeyMenu apiKey={key} onAct={(action) => onAct(key, action)} />,
  },
]

function KeyMenu({ apiKey, onAct }: { apiKey: ApiKey; onAct: (action: KeyAction) => void }) {
  const isDisabled = isEnded(apiKey, now())
  return (
    <ActionMenu
      label={`Actions for ${apiKey.name}`}
      items={[
        { label: 'Rotate secret', isDisabled, onChoose: () => onAct('rotate') },
        { label: 'Edit', onChoose: () => onAct('edit') },
        { label: 'Revoke', isRed: true, onChoose: () => onAct('revoke') },
      ]}
    />
  )
}

/** All keys with their use; revoked ones are muted and come last. */
export function KeyTable({ query, openId, onOpen, onAct, empty }: Props) {
  const page = {
    ...query,
    data: query.data && { rows: query.data.keys, totalItems: query.data.keys.length },
  } as UseQueryResult<TablePage<ApiKey>>
  return (
    <DataTable
      label="API keys"
      query={page}
      columns={columns(onAct)}
      keyOf={({ id }) => id}
      onOpen={onOpen}
      openKey={openId ?? null}
      density="two-line"
      failure="Couldn't load API keys"
      empty={empty}
    />
  )
}
