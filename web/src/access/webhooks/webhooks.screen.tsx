import { exportWebhooks, type WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { useCreateShortcut } from '../secrets/use-create-shortcut.ts'
import frame from '../sign-in/access-frame.module.css'
import { AccessFrame } from '../sign-in/access-frame.tsx'
import { type EndpointAction, EndpointDetail } from './endpoint-detail.tsx'
import type { NewSecret as Made } from './endpoint-form.tsx'
import { useDeleteEndpoint, webhooksKey, webhooksQuery } from './webhook.api.ts'
import { endpointName, endpointNote, endpointStatus } from './webhook-labels.ts'
import { WebhookSearch } from './webhook-search.ts'
import styles from './webhooks.module.css'

// Each loads when it is first opened.
const AddEndpoint = lazy(() => import('./endpoint-form.tsx').then((file) => ({ default: file.AddEndpoint })))
const EditEndpoint = lazy(() => import('./endpoint-form.tsx').then((file) => ({ default: file.EditEndpoint })))
const RotateSecret = lazy(() => import('./endpoint-secret.tsx').then((file) => ({ default: file.RotateSecret })))
const NewSecret = lazy(() => import('./endpoint-secret.tsx').then((file) => ({ default: file.NewSecret })))

type Layer = 'add' | { edit: WebhookEndpoint } | { rotate: WebhookEndpoint }

function EndpointRow({ endpoint, isOpen }: { endpoint: WebhookEndpoint; isOpen: boolean }) {
  const { meaning, text } = endpointStatus(endpoint)
  return (
    <MasterRow<'/worker/tech/access/webhooks'> search={{ endpoint: endpoint.id }} isOpen={isOpen}>
      <span className={styles.row}>
        <span className={styles.rowHead}>
          <b>{endpointName(endpoint)}</b>
          <StatusDot meaning={meaning}>{text}</StatusDot>
        </span>
        <span className={styles.url}>{endpoint.url}</span>
        <span className={styles.quiet}>{endpointNote(endpoint)}</span>
      </span>
    </MasterRow>
  )
}

const askDelete = (endpoint: WebhookEndpoint) =>
  confirm({
    title: `Delete ${endpointName(endpoint)}?`,
    body: 'Events are no longer sent to it, and its delivery log is deleted. This cannot be undone.',
    action: 'Delete endpoint',
    isDestructive: true,
  })

/** Addresses of other systems that are told what changes. */
export default function Webhooks() {
  const [search, change] = useSearchState(WebhookSearch)
  const query = useQuery(webhooksQuery)
  useLiveRefresh('webhooks', webhooksKey)
  const [layer, setLayer] = useState<Layer>()
  const [made, setMade] = useState<Made>()
  const remove = useDeleteEndpoint()
  const close = () => setLayer(undefined)
  useCreateShortcut(() => setLayer('add'))
  const show = (next: Made) => {
    setMade(next)
    change({ endpoint: next.endpoint.id, delivery: 0 }, { replace: true })
  }
  const act = async (endpoint: WebhookEndpoint, action: EndpointAction) => {
    if (action === 'edit') return setLayer({ edit: endpoint })
    if (action === 'rotate') return setLayer({ rotate: endpoint })
    if (!(await askDelete(endpoint))) return
    await remove.mutateAsync(endpoint.id).then(
      () => {
        change({ endpoint: 0, delivery: 0 }, { replace: true })
        toast(`${endpointName(endpoint)} deleted.`)
      },
      (error: unknown) => toastFailure(`Couldn't delete ${endpointName(endpoint)}`, error),
    )
  }
  const addButton = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => setLayer('add')}>
      Add endpoint
    </Button>
  )
  const actions = (
    <>
      <LazyExportButton call={exportWebhooks} total={query.data?.endpoints.length} />
      {addButton}
    </>
  )
  return (
    <AccessFrame context="Worker accounts, API keys, webhooks and the audit log." actions={actions}>
      <div className={frame.page}>
        <QueryView
          query={query}
          failure="Couldn't load webhooks"
          loading={
            <SectionCard>
              <TextSkeleton lines={6} />
            </SectionCard>
          }
        >
          {({ endpoints }) => {
            const open = endpoints.find(({ id }) => id === search.endpoint)
            const shown = open ?? endpoints[0]
            if (!shown)
              return (
                <SectionCard>
                  <EmptyState icon={IconWebhook} title="No webhooks yet" action={addButton}>
                    An endpoint is an address of another system. Limber tells it when a customer, a session or a ticket
                    changes, and each delivery appears here.
                  </EmptyState>
                </SectionCard>
              )
            const detail = (
              <EndpointDetail
                key={shown.id}
                endpoint={shown}
                show={search.show}
                deliveryId={search.delivery}
                onShow={(next) => change({ show: next, delivery: 0 })}
                onDelivery={(id) => change({ endpoint: shown.id, delivery: id }, { replace: true })}
                onAct={(action) => void act(shown, action)}
              />
            )
            return (
              <MasterDetail
                listName="Webhooks"
                listWidth={280}
                list={endpoints.map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} isOpen={endpoint.id === shown.id} />
                ))}
                detail={open ? detail : null}
                placeholder={detail}
                onBack={() => change({ endpoint: 0, delivery: 0 })}
              />
            )
          }}
        </QueryView>
      </div>
      <Suspense>
        {layer === 'add' && <AddEndpoint onClose={close} onAdded={show} />}
        {typeof layer === 'object' && 'edit' in layer && <EditEndpoint endpoint={layer.edit} onClose={close} />}
        {typeof layer === 'object' && 'rotate' in layer && (
          <RotateSecret endpoint={layer.rotate} onClose={close} onRotated={show} />
        )}
        {made && <NewSecret made={made} onClose={() => setMade(undefined)} />}
      </Suspense>
    </AccessFrame>
  )
}
