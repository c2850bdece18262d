import type { Business } from '@limber/contract/businesses/business/business.ts'
import { exportEmails } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { attempt } from '../business/attempt.ts'
import { emailPageQuery, useResetEmails } from './email.api.ts'
import { EmailBox } from './email-box.tsx'
import { EmailEntry } from './email-entry.tsx'
import styles from './email-list.module.css'

/** The list can be searched from this many addresses. */
const SEARCH_FROM = 6

function ResetButton({ businessId, total }: { businessId: number; total: number }) {
  const reset = useResetEmails()
  const ask = async () => {
    const isSure = await confirm({
      title: 'Reset the whole list?',
      body: `${pluralize(total, 'address', 'addresses')} can no longer book. This cannot be undone. You confirm with your passkey.`,
      action: 'Reset',
      isDestructive: true,
    })
    if (!isSure) return
    await attempt(reset.mutateAsync({ business_id: businessId }), ({ deleted }) =>
      toast('The list is empty.', { detail: `${pluralize(deleted, 'address', 'addresses')} deleted.` }),
    )
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      disabled={total === 0}
      loading={reset.isPending}
      onClick={() => void ask()}
    >
      Reset
    </Button>
  )
}

/** Who can book a slot with the business. Addresses can be searched, edited, imported and uploaded. */
export default function EmailList({ business }: { business: Business }) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const query = useQuery(emailPageQuery(business.id, search, 1))
  const total = query.data?.total ?? 0
  return (
    <SectionCard
      title="Allowed email list"
      count={query.data ? formatInteger(total) : undefined}
      actions={
        <>
          <ExportButton call={exportEmails} query={{ business_id: business.id, search }} total={total} />
          <ResetButton businessId={business.id} total={total} />
        </>
      }
      isFlush
    >
      <div className={styles.body}>
        {(total >= SEARCH_FROM || text !== '') && (
          <TextInput
            aria-label="Search emails"
            placeholder="Search emails"
            leftSection={<Icon of={IconSearch} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <QueryView
          query={query}
          failure="Couldn't load the list"
          loading={<ListSkeleton rows={5} hasPicture={false} />}
        >
          {({ pagination }) =>
            pagination.totalItems === 0 ? (
              <p className={styles.none}>
                {search ? `No address contains “${search}”.` : 'No addresses yet. Import a file or type an address.'}
              </p>
            ) : (
              <EmailBox key={search} businessId={business.id} search={search} count={pagination.totalItems} />
            )
          }
        </QueryView>
        <EmailEntry businessId={business.id} />
      </div>
    </SectionCard>
  )
}
