import type { Mailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconLink, IconMailbox, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { type Meaning, StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { mailboxesKey, mailboxesQuery, useDeleteMailbox } from './mailbox.api.ts'
import styles from './mailboxes.module.css'

const MailboxForm = lazy(async () => ({ default: (await import('./mailbox-form.tsx')).MailboxForm }))

const ForwardingAddress = lazy(async () => ({ default: (await import('./forwarding-address.tsx')).ForwardingAddress }))

const states: Record<Mailbox['state'], { label: string; meaning: Meaning }> = {
  off: { label: 'Off', meaning: 'plain' },
  forwarded: { label: 'Forwarded', meaning: 'green' },
  waiting: { label: 'Connecting', meaning: 'amber' },
  connected: { label: 'Connected', meaning: 'green' },
  failing: { label: 'Not connected', meaning: 'red' },
}

interface RowProps {
  mailbox: Mailbox
  onEdit: () => void
  onAddress: () => void
}

function Row({ mailbox, onEdit, onAddress }: RowProps) {
  const remove = useDeleteMailbox()
  const { id, address, name, incoming, state, error, readAt, lastMessageAt, hasForwardingAddress } = mailbox
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${address}?`,
      body: 'Its emails are no longer read. Its tickets stay, and their replies leave from the company address. This cannot be undone.',
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await remove.mutateAsync(id).then(
      () => toast(`${address} deleted.`),
      (failure: unknown) => toastFailure(`Couldn't delete ${address}`, failure),
    )
  }
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{address}</p>
        <p className={styles.meta}>{name}</p>
        {error && <p className={styles.error}>{error}</p>}
        {state === 'forwarded' && !hasForwardingAddress && <p className={styles.meta}>No forwarding address yet</p>}
      </div>
      <div className={styles.state}>
        <StatusDot meaning={states[state].meaning}>{states[state].label}</StatusDot>
        <p className={styles.meta}>
          {lastMessageAt ? (
            <>
              Last message <Moment at={lastMessageAt} />
            </>
          ) : (
            'No messages yet'
          )}
        </p>
        {state === 'failing' && readAt && (
          <p className={styles.meta}>
            Last read <Moment at={readAt} />
          </p>
        )}
      </div>
      <div className={styles.actions}>
        {incoming === 'forward' && (
          <ActionIcon size={32} aria-label={`Forwarding address of ${address}`} onClick={onAddress}>
            <Icon of={IconLink} />
          </ActionIcon>
        )}
        <ActionIcon size={32} aria-label={`Edit ${address}`} onClick={onEdit}>
          <Icon of={IconPencil} />
        </ActionIcon>
        <ActionIcon size={32} aria-label={`Delete ${address}`} disabled={remove.isPending} onClick={() => void ask()}>
          <Icon of={IconTrash} />
        </ActionIcon>
      </div>
    </li>
  )
}

/** The addresses that customers write to. */
export default function Mailboxes() {
  const query = useQuery(mailboxesQuery)
  useLiveRefresh('mailboxes', mailboxesKey)
  const [layer, setLayer] = useState<'new' | Mailbox>()
  const [forwarded, setForwarded] = useState<Mailbox>()
  // A provider can post emails to a new mailbox only with an address.
  const goOn = (saved: Mailbox) => {
    if (saved.incoming === 'forward' && !saved.hasForwardingAddress) setForwarded(saved)
    else toast(layer === 'new' ? 'Mailbox added.' : 'Mailbox saved.')
  }
  const add = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => setLayer('new')}>
      Add mailbox
    </Button>
  )
  return (
    <>
      <PageHead title="Mailboxes" actions={add}>
        Addresses that customers write to. Their emails become tickets, and replies leave from the same address.
      </PageHead>
      <SectionCard isFlush>
        <QueryView
          query={query}
          failure="Couldn't load mailboxes"
          loading={<ListSkeleton rows={3} hasPicture={false} />}
          isEmpty={(mailboxes) => mailboxes.length === 0}
          empty={
            <EmptyState icon={IconMailbox} title="No mailboxes yet">
              Add the address that customers write to.
            </EmptyState>
          }
        >
          {(mailboxes) => (
            <ul className={styles.rows}>
              {mailboxes.map((mailbox) => (
                <Row
                  key={mailbox.id}
                  mailbox={mailbox}
                  onEdit={() => setLayer(mailbox)}
                  onAddress={() => setForwarded(mailbox)}
                />
              ))}
            </ul>
          )}
        </QueryView>
      </SectionCard>
      <Suspense>
        {layer !== undefined && (
          <MailboxForm
            mailbox={layer === 'new' ? undefined : layer}
            onSaved={goOn}
            onClose={() => setLayer(undefined)}
          />
        )}
        {forwarded && layer === undefined && (
          <ForwardingAddress mailbox={forwarded} onClose={() => setForwarded(undefined)} />
        )}
      </Suspense>
    </>
  )
}
