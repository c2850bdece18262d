import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconClock,
  IconCoins,
  IconMail,
  IconMessage,
  IconNote,
  IconPhone,
  IconUserCog,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { useTitle } from '#platform/routing/title.ts'
import { useCan } from '#platform/session/session.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'
import { Avatar } from '#ui/layout/avatar.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { accountMeaning, closedLabels, humanize } from './labels.ts'
import styles from './person.module.css'
import { listOf, usersQuery } from './user.api.ts'
import type { ChangeSearch, UserSearch } from './user-search.ts'

const loadLayers = () => import('./person-layers.tsx')

interface CrumbProps {
  user: UserDetail
  from: string
  search: UserSearch
  onChange: ChangeSearch
}

/** Back to the list, and to the customers before and after in it. */
export function PersonCrumb({ user, from, search, onChange }: CrumbProps) {
  const { data } = useQuery(usersQuery(listOf(search)))
  const { id, name } = user.personalInfo
  const ids = data?.users.map((one) => one.id) ?? []
  const place = ids.indexOf(id)
  const [previous, next] = place < 0 ? [] : [ids[place - 1], ids[place + 1]]
  const open = (other: number | undefined) => {
    if (other !== undefined) onChange({ user: other, view: '', merged: 0 })
  }
  useWindowKeys((event) => {
    if (!isPageKey(event)) return
    if (event.key === '[') open(previous)
    if (event.key === ']') open(next)
  })
  return (
    <nav className={styles.crumb} aria-label="Breadcrumb">
      <button type="button" onClick={() => onChange({ user: 0, tab: 'overview', view: '', merged: 0 })}>
        {from}
      </button>
      <span aria-hidden>/</span>
      <span className={styles.here}>{name}</span>
      <span className={styles.neighbors}>
        <ActionIcon
          size={28}
          aria-label="Previous customer, ["
          aria-keyshortcuts="["
          disabled={!previous}
          onClick={() => open(previous)}
        >
          <Icon of={IconChevronUp} />
        </ActionIcon>
        <ActionIcon
          size={28}
          aria-label="Next customer, ]"
          aria-keyshortcuts="]"
          disabled={!next}
          onClick={() => open(next)}
        >
          <Icon of={IconChevronDown} />
        </ActionIcon>
      </span>
    </nav>
  )
}

interface HeadProps {
  user: UserDetail
  onOpen: (view: UserSearch['view']) => void
}

function Actions({ user: { accountStatus, personalInfo }, onOpen }: HeadProps) {
  const mayText = useCan('support.tab')
  const { status, isErased, mergedInto } = accountStatus
  const isClosed = isErased || mergedInto !== null
  const isBlocked = status === 'blocked' && !isClosed
  const canText = mayText && personalInfo.phone !== null && !isClosed && !isBlocked
  useWindowKeys((event) => {
    if (!isPageKey(event)) return
    const view = event.key === 'n' ? 'notes' : event.key === 't' && canText ? 'text' : undefined
    if (!view) return
    event.preventDefault()
    onOpen(view)
  })
  const button = (label: string, view: UserSearch['view'], icon: typeof IconNote, key?: string) => (
    <Button
      variant="default"
      leftSection={<Icon of={icon} />}
      aria-keyshortcuts={key}
      {...prefetchOnHover(loadLayers)}
      onClick={() => onOpen(view)}
    >
      {label}
    </Button>
  )
  return (
    <div className={styles.actions}>
      {button('Note', 'notes', IconNote, 'n')}
      {isBlocked ? (
        button('Unblock', 'unblock', IconUserCog)
      ) : (
        <>
          {canText && button('Text', 'text', IconMessage, 't')}
          {!isClosed && button('Grant credits', 'credits', IconCoins)}
        </>
      )}
      {button('Account actions', 'account', IconUserCog)}
      <HistoryButton record={{ kind: 'customer', id: personalInfo.id }} />
    </div>
  )
}

/** Who the customer is, and what can be done. */
export function PersonHead({ user, onOpen }: HeadProps) {
  const { personalInfo, accountStatus } = user
  const { name, email, phone } = personalInfo
  const { status, isErased, mergedInto, emailVerified, joinDate, blockedReason, blockedBy } = accountStatus
  const ended = isErased ? 'erased' : mergedInto !== null ? 'merged' : undefined
  useTitle(name)
  useRecentRecord('customer', personalInfo.id, ended ? null : name)
  return (
    <header className={styles.head}>
      <Avatar name={name} size={32} />
      <div className={styles.who}>
        <div className={styles.name}>
          <h1>{name}</h1>
          {ended ? (
            <StatusBadge meaning="plain">{closedLabels[ended]}</StatusBadge>
          ) : (
            <StatusBadge meaning={accountMeaning[status]}>{humanize(status)}</StatusBadge>
          )}
          {accountStatus.isStretcher && <StatusBadge meaning="teal">Stretcher</StatusBadge>}
          {!ended && !emailVerified && <StatusBadge meaning="plain">Unverified</StatusBadge>}
        </div>
        {!ended && (
          <p className={styles.contact}>
            <span>
              <Icon of={IconMail} size={14} /> {email}
              {emailVerified && (
                <span role="img" aria-label="Verified" className={styles.verified}>
                  <Icon of={IconCircleCheck} size={14} />
                </span>
              )}
              <CopyButton text={email} label="Copy email" />
            </span>
            {phone && (
              <span>
                <Icon of={IconPhone} size={14} /> {formatPhone(phone)}
              </span>
            )}
            <span className={styles.since}>
              <Icon of={IconClock} size={14} /> Customer since <Moment at={joinDate} form="day" />
            </span>
          </p>
        )}
        {status === 'blocked' && !ended && (
          <p className={styles.blocked}>
            {['Blocked', blockedBy && ` by ${blockedBy}`, blockedReason && `: ${blockedReason}`]
              .filter(Boolean)
              .join('')}
          </p>
        )}
      </div>
      <Actions user={user} onOpen={onOpen} />
    </header>
  )
}
