import { type CalendarFeed, exportFeeds } from '@limber/contract/businesses/feeds/calendar-feed.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { businessesQuery } from '../business/business.api.ts'
import StretcherFind from '../calendar/stretcher-find.tsx'
import { feedsQuery, useCreateFeed, useRevokeFeed } from './feed.api.ts'
import styles from './feeds.module.css'

const kinds = [
  { value: 'all', label: 'All on-site sessions' },
  { value: 'business', label: 'One business' },
  { value: 'stretcher', label: 'One stretcher' },
]

const nameOf = ({ business, stretcher }: CalendarFeed) => business?.name ?? stretcher?.name ?? 'All on-site sessions'

function BusinessSelect({ business, onChange }: { business: number; onChange: (id: number) => void }) {
  const businesses = useQuery(businessesQuery({ limit: '100' })).data?.businesses ?? []
  return (
    <NativeSelect
      label="Business"
      data={[
        { value: '0', label: 'Select a business' },
        ...businesses.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={String(business)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  )
}

function CreateFeed({ onCreated }: { onCreated: (url: string) => void }) {
  const [kind, setKind] = useState('all')
  const [id, setId] = useState(0)
  const create = useCreateFeed()
  const submit = () => {
    const body = kind === 'all' ? {} : kind === 'business' ? { business_id: id } : { stretcher_id: id }
    void create.mutateAsync(body).then(
      ({ url }) => onCreated(url),
      (error: unknown) => toastFailure("Couldn't create the calendar link", error),
    )
  }
  return (
    <div className={styles.form}>
      <NativeSelect
        label="Show"
        data={kinds}
        value={kind}
        onChange={(event) => {
          setKind(event.currentTarget.value)
          setId(0)
        }}
      />
      {kind === 'business' ? (
        <BusinessSelect business={id} onChange={setId} />
      ) : kind === 'stretcher' ? (
        <StretcherFind stretcher={id} onChange={setId} />
      ) : (
        <span />
      )}
      <Button disabled={kind !== 'all' && id === 0} loading={create.isPending} onClick={submit}>
        Create link
      </Button>
    </div>
  )
}

function NewLink({ url }: { url: string }) {
  return (
    <div className={styles.link} role="status">
      <strong>Copy the link now. It is shown once.</strong>
      <span className={styles.url}>
        <code>{url}</code>
        <CopyButton text={url} label="Copy link" />
      </span>
      <p className={styles.quiet}>
        Subscribe to it in Google Calendar, Outlook or Apple Calendar. Anyone with the link can see these sessions.
      </p>
    </div>
  )
}

function FeedRow({ feed }: { feed: CalendarFeed }) {
  const revoke = useRevokeFeed()
  const ask = async () => {
    const isSure = await confirm({
      title: `Revoke the calendar link of ${nameOf(feed)}?`,
      body: 'Calendars that use it no longer get changes. This cannot be undone, but you can create another link.',
      action: 'Revoke',
      isDestructive: true,
    })
    if (!isSure) return
    await revoke.mutateAsync(feed.id).then(
      () => toast('The calendar link is revoked.'),
      (error: unknown) => toastFailure('The calendar link still works', error),
    )
  }
  return (
    <tr>
      <td>{nameOf(feed)}</td>
      <td>
        <Moment at={feed.createdAt} form="day" /> by {feed.createdBy}
      </td>
      <td>
        <Moment at={feed.lastUsedAt} form="relative" absent="Never" />
      </td>
      <td>
        {feed.revokedAt ? (
          'Revoked'
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`Revoke the link of ${nameOf(feed)}`}
            loading={revoke.isPending}
            onClick={() => void ask()}
          >
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

/** Creates, lists and revokes the links by which calendar programs read on-site sessions. */
export default function FeedsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(feedsQuery)
  const [url, setUrl] = useState('')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Calendar links"
      context="On-site sessions in your own calendar"
      size={760}
      foot={
        <>
          <span className={styles.first}>
            <ExportButton call={exportFeeds} total={query.data?.feeds.length} />
          </span>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <CreateFeed onCreated={setUrl} />
        {url && <NewLink url={url} />}
        <QueryView query={query} failure="Couldn't load the calendar links">
          {({ feeds }) =>
            feeds.length === 0 ? (
              <p className={styles.quiet}>No calendar links yet. Create one and subscribe to it in your calendar.</p>
            ) : (
              <PlainTable label="Calendar links">
                <thead>
                  <tr>
                    <th scope="col">Sessions</th>
                    <th scope="col">Created</th>
                    <th scope="col">Last used</th>
                    <th scope="col">State</th>
                  </tr>
                </thead>
                <tbody>
                  {feeds.map((feed) => (
                    <FeedRow key={feed.id} feed={feed} />
                  ))}
                </tbody>
              </PlainTable>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  )
}
