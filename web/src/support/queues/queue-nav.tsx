import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketView } from '@limber/contract/support/queues/queue.ts'
import { VisuallyHidden } from '@mantine/core'
import {
  IconAlarm,
  IconEye,
  IconFilter,
  IconFlag,
  IconHourglass,
  IconInbox,
  IconPencil,
  IconPlus,
  IconStack2,
  IconTag,
  IconUser,
  IconZzz,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { useCan, useSession } from '#platform/session/session.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { TicketSearch } from '../tickets/ticket-search.ts'
import { isShown, queuesQuery, viewFilterOf } from './queue.api.ts'
import { queueLabels } from './queue-labels.ts'
import styles from './queue-nav.module.css'

const EditView = lazy(() => import('./view-dialog.tsx').then((file) => ({ default: file.EditView })))
const NewView = lazy(() => import('./view-dialog.tsx').then((file) => ({ default: file.NewView })))
const ManageTags = lazy(() => import('./manage-tags.tsx'))

const queues = [
  { queue: 'mine', icon: IconUser },
  { queue: 'unassigned', icon: IconInbox },
  { queue: 'breaching', icon: IconAlarm },
  { queue: 'waiting', icon: IconHourglass },
  { queue: 'high', icon: IconFlag },
  { queue: 'watching', icon: IconEye },
  { queue: 'snoozed', icon: IconZzz },
] as const

interface EntryProps {
  icon: ReactNode
  name: string
  count: number | undefined
  filter: Parameters<typeof isShown>[1]
  search: TicketSearch
  /** A count that needs attention. */
  isUrgent?: boolean
}

const linkOf = ({ queue, status, priority, kind, assignee, tag }: EntryProps['filter']) => ({
  queue,
  status,
  priority,
  kind,
  assignee,
  tag,
})

function Entry({ icon, name, count, filter, search, isUrgent }: EntryProps) {
  return (
    <Link
      {...linkTo('/support/tickets', linkOf(filter))}
      className={styles.entry ?? ''}
      activeProps={{}}
      // Without `exact`, every link to this screen counts as the current one.
      activeOptions={{ exact: true }}
      aria-current={isShown(search, filter) ? 'page' : undefined}
    >
      {icon}
      <span className={styles.name}>{name}</span>
      {count !== undefined && (
        <span className={styles.count} data-urgent={isUrgent || undefined}>
          {formatInteger(count)}
          <VisuallyHidden> tickets</VisuallyHidden>
        </span>
      )}
    </Link>
  )
}

/** The queues and saved views of the desk, with the number of tickets in each. */
export default function QueueNav() {
  const { data } = useQuery(queuesQuery)
  const [search] = useSearchState(TicketSearch)
  const { workerId } = useSession()
  const mayManageTags = useCan('notifications.send')
  const [layer, setLayer] = useState<'new' | 'tags' | TicketView>()
  const close = () => setLayer(undefined)
  const current = viewFilterOf(search)
  return (
    <div className={styles.nav}>
      <ul className={styles.list} aria-label="Queues">
        {queues.map(({ queue, icon }) => (
          <li key={queue}>
            <Entry
              icon={<Icon of={icon} size={16} />}
              name={queueLabels[queue]}
              count={data?.queues[queue]}
              isUrgent={queue === 'breaching' && (data?.queues.breaching ?? 0) > 0}
              filter={{ queue }}
              search={search}
            />
          </li>
        ))}
        <li>
          <Entry
            icon={<Icon of={IconStack2} size={16} />}
            name="All"
            count={data?.queues.all}
            filter={{}}
            search={search}
          />
        </li>
      </ul>
      {(current || mayManageTags || (data && data.views.length > 0)) && <p className={styles.title}>Views</p>}
      <ul className={styles.list} aria-label="Views">
        {data?.views.map((view) => (
          <li key={view.id} className={styles.view}>
            <Entry
              icon={<Icon of={IconFilter} size={16} />}
              name={view.name}
              count={view.count}
              filter={view}
              search={search}
            />
            {view.owner.id === workerId && (
              <button
                type="button"
                className={styles.edit}
                aria-label={`Edit view ${view.name}`}
                onClick={() => setLayer(view)}
              >
                <Icon of={IconPencil} size={14} />
              </button>
            )}
          </li>
        ))}
        {current && (
          <li>
            <button type="button" className={styles.entry} onClick={() => setLayer('new')}>
              <Icon of={IconPlus} size={16} />
              <span className={styles.name}>New view</span>
            </button>
          </li>
        )}
        {mayManageTags && (
          <li>
            <button type="button" className={styles.entry} onClick={() => setLayer('tags')}>
              <Icon of={IconTag} size={16} />
              <span className={styles.name}>Manage tags</span>
            </button>
          </li>
        )}
      </ul>
      <Suspense>
        {layer === 'new' && current && <NewView filter={current} onClose={close} />}
        {layer === 'tags' && <ManageTags onClose={close} />}
        {typeof layer === 'object' && <EditView view={layer} current={current} onClose={close} />}
      </Suspense>
    </div>
  )
}
