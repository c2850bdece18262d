import type { Business } from '@limber/contract/businesses/business/business.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { DetailColumns, DetailPane } from '#ui/layout/detail-pane.tsx'
import { BlockList } from '../blocks/block-list.tsx'
import { businessQuery } from './business.api.ts'
import { BusinessEditor } from './business-editor.tsx'
import { type BusinessSearch, type ChangeSearch, fresh } from './business-search.ts'

// What opens over the business is fetched when it is first opened, the list of addresses beside the first look.
const BlockDialog = lazy(() => import('../blocks/block-dialog.tsx'))
const LedgerDialog = lazy(() => import('../blocks/ledger-dialog.tsx'))
const EmailList = lazy(() => import('../emails/email-list.tsx'))

interface Props {
  id: number
  search: BusinessSearch
  onChange: ChangeSearch
}

const loading = (
  <DetailPane>
    <BlockSkeleton height={32} />
    <BlockSkeleton height={180} />
    <BlockSkeleton height={300} />
  </DetailPane>
)

function Detail({ business, search, onChange }: Omit<Props, 'id'> & { business: Business }) {
  // The editor begins with one version and stays with it: what others save meanwhile is shown when mine is saved.
  const [{ base, turn }, setEditing] = useState({ base: business, turn: 0 })
  const restart = (from: Business) => setEditing((before) => ({ base: from, turn: before.turn + 1 }))
  // Archiving changes none of the fields: what is typed goes on from there, unless somebody else came between.
  const goOn = (saved: Business) =>
    setEditing((before) => (saved.version === before.base.version + 1 ? { ...before, base: saved } : before))
  const close = () => onChange({ block: 0, view: '' })
  return (
    <DetailPane>
      <BusinessEditor
        key={`${base.id}.${turn}`}
        base={base}
        latest={business}
        onRestart={restart}
        onArchived={goOn}
        onGone={() => onChange({ business: 0, ...fresh }, { isFinal: true })}
        onLedger={() => onChange({ view: 'ledger' })}
      />
      <DetailColumns kind="aside">
        <BlockList
          business={business}
          page={search.blocks}
          onPage={(blocks, how) => onChange({ blocks }, how)}
          onOpen={(block) => onChange({ block })}
        />
        <Suspense fallback={<BlockSkeleton height={300} />}>
          <EmailList business={business} />
        </Suspense>
      </DetailColumns>
      <Suspense>
        {search.block > 0 && (
          <BlockDialog business={business} page={search.blocks} blockId={search.block} onClose={close} />
        )}
        {search.view === 'ledger' && <LedgerDialog business={business} onClose={close} />}
      </Suspense>
    </DetailPane>
  )
}

/** One business: its details and hours, its blocks, its list of addresses. */
export function BusinessDetail({ id, ...rest }: Props) {
  const query = useQuery(businessQuery(id))
  return (
    <QueryView query={query} loading={loading} failure="This business could not be loaded">
      {(business) => <Detail business={business} {...rest} />}
    </QueryView>
  )
}
