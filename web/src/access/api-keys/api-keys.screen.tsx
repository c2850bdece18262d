import { type ApiKey, type ApiKeyList, exportApiKeys } from '@limber/contract/access/api-keys/api-key.ts'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { readApiPage } from '@limber/contract/kit/meta.ts'
import { Button } from '@mantine/core'
import { IconBook2, IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { useCreateShortcut } from '../secrets/use-create-shortcut.ts'
import frame from '../sign-in/access-frame.module.css'
import { AccessFrame } from '../sign-in/access-frame.tsx'
import { apiKeysKey, apiKeysQuery, useRevokeKey } from './api-key.api.ts'
import { ApiKeySearch } from './api-key-search.ts'
import styles from './api-keys.module.css'
import type { NewKey as Made } from './key-form.tsx'
import { isEnded, scopeLabel } from './key-labels.ts'
import { type KeyAction, KeyTable } from './key-table.tsx'

// Each loads when it is first opened, the detail after the table shows.
const KeyDetail = lazy(() => import('./key-detail.tsx').then((file) => ({ default: file.KeyDetail })))
const CreateKey = lazy(() => import('./key-form.tsx').then((file) => ({ default: file.CreateKey })))
const EditKey = lazy(() => import('./key-form.tsx').then((file) => ({ default: file.EditKey })))
const RotateKey = lazy(() => import('./key-secret.tsx').then((file) => ({ default: file.RotateKey })))
const NewKey = lazy(() => import('./key-secret.tsx').then((file) => ({ default: file.NewKey })))

type Layer = { create: readonly ApiScope[] } | { edit: ApiKey } | { rotate: ApiKey }

const docs = (
  <Button
    variant="subtle"
    color="gray"
    size="xs"
    leftSection={<Icon of={IconBook2} />}
    renderRoot={(props) => <a href={readApiPage.path} target="_blank" rel="noreferrer" {...props} />}
  >
    API docs
  </Button>
)

function Deprecated({ entry, onCreate }: { entry: ApiKeyList['deprecated'][number]; onCreate: () => void }) {
  const { variable, scope, callsToday } = entry
  const isUsed = callsToday > 0
  return (
    <Banner
      kind="amber"
      action={
        <Button variant="subtle" size="xs" className={styles.noteAction ?? ''} onClick={onCreate}>
          Create the key
        </Button>
      }
    >
      <b>
        {variable} is still {isUsed ? 'in use' : 'set'}.
      </b>{' '}
      {isUsed ? `${pluralize(callsToday, 'call')} used it today.` : 'No calls used it today.'} Create a key with the
      scope {scopeLabel(scope)} and remove the variable.
    </Banner>
  )
}

/** Whether to revoke, with what depends on it. */
const askRevoke = ({ name, lastUsedAt }: ApiKey) =>
  confirm({
    title: `Revoke ${name}?`,
    body: `Its next call is refused. This cannot be undone. ${
      lastUsedAt ? `It was last used ${momentText(lastUsedAt, 'relative')}.` : 'It was never used.'
    }`,
    action: 'Revoke key',
    isDestructive: true,
  })

/** Keys by which programs use the API. */
export default function ApiKeys() {
  const [search, change] = useSearchState(ApiKeySearch)
  const query = useQuery(apiKeysQuery)
  useLiveRefresh('api-keys', apiKeysKey)
  const [layer, setLayer] = useState<Layer>()
  const [made, setMade] = useState<Made>()
  const revoke = useRevokeKey()
  const close = () => setLayer(undefined)
  const create = (scopes: readonly ApiScope[] = []) => setLayer({ create: scopes })
  useCreateShortcut(() => create())

  const keys = query.data?.keys ?? []
  const open = keys.find(({ id }) => id === search.key) ?? keys[0]
  const inUse = keys.filter((key) => !isEnded(key, now())).length
  const show = (next: Made) => {
    setMade(next)
    change({ key: next.key.id }, { replace: true })
  }
  const act = async (key: ApiKey, action: KeyAction) => {
    if (action === 'edit') return setLayer({ edit: key })
    if (action === 'rotate') return setLayer({ rotate: key })
    if (!(await askRevoke(key))) return
    await revoke.mutateAsync(key.id).then(
      () => toast(`${key.name} revoked.`),
      (error: unknown) => toastFailure(`Couldn't revoke ${key.name}`, error),
    )
  }
  const createButton = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => create()}>
      Create API key
    </Button>
  )
  const actions = (
    <>
      <LazyExportButton call={exportApiKeys} total={query.data?.keys.length} />
      {createButton}
    </>
  )
  const empty = (
    <EmptyState icon={IconKey} title="No API keys yet" action={createButton}>
      A key lets another system, such as your app, read and send data. Each key has scopes, and its calls appear here.
    </EmptyState>
  )
  return (
    <AccessFrame context="Worker accounts, API keys, webhooks and the audit log." actions={actions}>
      <div className={frame.page}>
        <SectionCard
          title="API keys"
          isFlush
          actions={docs}
          {...(query.data && { count: `${formatInteger(inUse)} in use` })}
        >
          <KeyTable
            query={query}
            openId={open?.id}
            onOpen={({ id }) => change({ key: id })}
            onAct={(key, action) => void act(key, action)}
            empty={empty}
          />
        </SectionCard>
        <Suspense>
          {open && <KeyDetail key={open.id} apiKey={open} onAct={(action) => void act(open, action)} />}
        </Suspense>
        {query.data?.deprecated.map((entry) => (
          <Deprecated key={entry.variable} entry={entry} onCreate={() => create([entry.scope])} />
        ))}
      </div>
      <Suspense>
        {layer && 'create' in layer && <CreateKey scopes={layer.create} onClose={close} onCreated={show} />}
        {layer && 'edit' in layer && <EditKey apiKey={layer.edit} onClose={close} />}
        {layer && 'rotate' in layer && <RotateKey apiKey={layer.rotate} onClose={close} onRotated={show} />}
        {made && <NewKey made={made} onClose={() => setMade(undefined)} />}
      </Suspense>
    </AccessFrame>
  )
}
