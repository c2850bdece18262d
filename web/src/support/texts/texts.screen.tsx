import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { exportMessages } from '@limber/contract/support/texts/message.ts'
import { Button } from '@mantine/core'
import { IconMessages, IconReload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { NextStep } from '#platform/routing/next-step.tsx'
import { useSearchState } from '#platform/routing/search.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { CustomerLink, PersonRail } from '../public.tsx'
import { type Conversation, textsKey, textsQuery } from './message.api.ts'
import { TextBubbles } from './text-bubbles.tsx'
import { TextFinder } from './text-finder.tsx'
import { TextReply } from './text-reply.tsx'
import { type ChangeTextSearch, TextSearch } from './text-search.ts'
import styles from './texts.module.css'

const NOT_CONNECTED = 'Text messages are not connected. Ask your administrator to set up a text message service.'

interface State {
  isFailed: boolean
  isFetching: boolean
  updatedAt: number
  onRetry: () => void
}

/** A failed refresh is not an alarm here: the line shows the age of the messages and offers a retry. */
function Freshness({ isFailed, isFetching, updatedAt, onRetry }: State) {
  return (
    <span className={styles.freshness}>
      <span>
        Last updated {updatedAt > 0 ? <Moment at={new Date(updatedAt).toISOString()} form="seconds" /> : 'never'}
      </span>
      {isFailed && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon of={IconReload} size={14} />}
          loading={isFetching}
          onClick={onRetry}
        >
          Retry
        </Button>
      )}
    </span>
  )
}

function Messages({ page, at, onChange }: { page: Conversation; at: string; onChange: ChangeTextSearch }) {
  const { messages, name, number, customerId, prevPageToken, nextPageToken, isConnected } = page
  const isNarrow = number !== null || name !== null
  return (
    <section
      className={styles.card}
      aria-label={isNarrow ? `Conversation with ${name ?? number}` : 'All text messages'}
    >
      {isNarrow && (
        <div className={styles.with}>
          <h2>
            {name && customerId ? (
              <CustomerLink id={customerId}>{name}</CustomerLink>
            ) : (
              (name ?? formatPhone(number ?? ''))
            )}
          </h2>
          <span>{number ? name && formatPhone(number) : 'No number'}</span>
          <Button variant="default" size="xs" onClick={() => onChange({ user: 0, number: '', at: '' })}>
            All messages
          </Button>
        </div>
      )}
      {messages.length === 0 ? (
        <div className={styles.none}>
          <EmptyState
            icon={IconMessages}
            title="No text messages"
            {...(!isConnected && {
              action: (
                <NextStep to="/worker/tech/health" needs="health.view">
                  How to connect
                </NextStep>
              ),
            })}
          >
            {isNarrow ? 'No messages with this number yet.' : 'Text messages with customers will appear here.'}
          </EmptyState>
        </div>
      ) : (
        // Each page starts scrolled to its newest message.
        <TextBubbles
          key={`${number} ${at}`}
          messages={messages}
          isStream={!isNarrow}
          conversationName={name}
          onOpen={(other) => onChange({ number: other, at: '' })}
        />
      )}
      {number?.startsWith('+') && isConnected && <TextReply key={number} to={number} />}
      <nav className={styles.foot} aria-label="Pages">
        <Button
          variant="default"
          size="xs"
          aria-label="Previous: newer messages"
          disabled={!prevPageToken}
          onClick={() => onChange({ at: prevPageToken ?? '' })}
        >
          Previous
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label="Next: older messages"
          disabled={!nextPageToken}
          onClick={() => onChange({ at: nextPageToken ?? '' })}
        >
          Next
        </Button>
      </nav>
    </section>
  )
}

/** Text messages as bubbles: outgoing on the right, incoming on the left. */
export default function Texts() {
  const [search, onChange] = useSearchState(TextSearch)
  useThrottledRefresh('texts', textsKey)
  const query = useQuery(textsQuery(search))
  const { data } = query
  const actions = (
    <>
      <ExportButton call={exportMessages} query={{ number: search.number }} />
      <TextFinder onOpen={onChange} />
    </>
  )
  return (
    <div className={styles.screen} data-fills>
      <PageHead title="Text messages" actions={actions}>
        <Freshness
          isFailed={query.isError}
          isFetching={query.isFetching}
          updatedAt={query.dataUpdatedAt}
          onRetry={() => (query.isError && search.at ? onChange({ at: '' }) : void query.refetch())}
        />
      </PageHead>
      {data && !data.isConnected && <Banner kind="amber">{NOT_CONNECTED}</Banner>}
      {data ? (
        <div className={styles.columns}>
          <Messages page={data} at={search.at} onChange={onChange} />
          {data.customerId !== null && data.name !== null && (
            <div className={styles.rail}>
              <Suspense fallback={<ListSkeleton rows={6} />}>
                <PersonRail key={data.customerId} customerId={data.customerId} name={data.name} />
              </Suspense>
            </div>
          )}
        </div>
      ) : query.isError ? (
        <section className={styles.card}>
          <EmptyState icon={IconMessages} title="Couldn't load messages">
            They will appear when the connection is back.
          </EmptyState>
        </section>
      ) : (
        <section className={styles.card}>
          <ListSkeleton rows={6} />
        </section>
      )}
    </div>
  )
}
