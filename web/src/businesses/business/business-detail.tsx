import type { Business } from '@limber/contract/businesses/business/business.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { DetailColumns, DetailPane } from '#ui/layout/detail-pane.tsx'
import { BlockList } from '../blocks/block-list.tsx'
import { businessQuery } from './business.api.ts'
import { BusinessEditor } from './business-editor.tsx'
import { type BusinessSearch, type ChangeSearch, initialBusinessSearch } from './business-search.ts'

// Dialogs load when first opened; the email list loads in parallel.
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
  // The editor stays on its base version. Changes by others are shown on save.
  const [{ base, turn }, setEditing] = useState({ base: business, turn: 0 })
  const restart = (from: Business) => setEditing((before) => ({ base: from, turn: before.turn + 1 }))
  // Archiving changes no fields, so the form continues with the new version, unless someone else changed it in between.
  const continueWith = (saved: Business) =>
    setEditing((before) => (saved.version === before.base.version + 1 ? { ...before, base: saved } : before))
  const close = () => onChange({ block: 0, view: '' })
  return (
    <DetailPane>
      <BusinessEditor
        key={`${base.id}.${turn}`}
        base={base}
        latest={business}
        onRestart={restart}
        onArchived={continueWith}
        onGone={() => onChange({ business: 0, ...initialBusinessSearch }, { isFinal: true })}
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

/** One business: its details, hours, blocks and email list. */
export function BusinessDetail({ id, ...rest }: Props) {
  const query = useQuery(businessQuery(id))
  return (
    <QueryView query={query} loading={loading} failure="Couldn't load this business">
      {(business) => <Detail business={business} {...rest} />}
    </QueryView>
  )
}
