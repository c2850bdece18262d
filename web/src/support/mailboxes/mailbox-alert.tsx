import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { queuesQuery } from '../queues/queue.api.ts'
import styles from './mailbox-alert.module.css'

/** Says above the tickets that emails are missing. */
export default function MailboxAlert() {
  const { data } = useQuery(queuesQuery)
  const mayManage = useCan('notifications.send')
  const failing = data?.failingMailboxes ?? []
  if (failing.length === 0) return null
  return (
    <div className={styles.alert}>
      {failing.map(({ address, readAt }) => (
        <Banner
          key={address}
          kind="amber"
          action={mayManage && <Link {...linkTo('/support/mailboxes')}>Open mailboxes</Link>}
        >
          {address} has not been read{' '}
          {readAt ? (
            <>
              since <Moment at={readAt} />
            </>
          ) : (
            'yet'
          )}
          . New emails are missing here.
        </Banner>
      ))}
    </div>
  )
}
