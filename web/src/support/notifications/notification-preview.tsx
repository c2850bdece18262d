import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { NotificationDraft, NotificationPreview } from '@limber/contract/support/notifications/notification.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { previewQuery } from './notification.api.ts'
import { peopleText } from './notification-labels.ts'
import styles from './notifications.module.css'

function LeftOut({ preview, isMail }: { preview: NotificationPreview; isMail: boolean }) {
  const { optedOut, withoutAddress } = preview
  const parts = [
    ...(optedOut > 0 ? [`${formatInteger(optedOut)} opted out`] : []),
    ...(withoutAddress > 0
      ? [`${formatInteger(withoutAddress)} have no ${isMail ? 'verified email address' : 'number'}`]
      : []),
  ]
  return parts.length > 0 ? <p className={styles.leftOut}>Excluded: {parts.join(', ')}.</p> : null
}

/** The number of recipients and the rendered message, updated while typing. */
export function PreviewPane({ draft }: { draft: NotificationDraft }) {
  const query = useQuery(previewQuery(draft))
  const { data: preview } = query
  const isRefused = query.error instanceof CallFailure && query.error.status === 422
  const failure = query.isError && (
    <Banner
      kind="red"
      {...(!isRefused && {
        action: (
          <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
            Retry
          </Button>
        ),
      })}
    >
      {isRefused ? messageOf(query.error) : `Couldn't count the audience: ${messageOf(query.error)}`}
    </Banner>
  )
  if (!preview) return failure ? <div>{failure}</div> : <TextSkeleton lines={6} />
  return (
    <div className={styles.preview} data-stale={query.isPlaceholderData || undefined}>
      <p className={styles.reach} role="status">
        This will reach {peopleText(preview.people)}
      </p>
      <LeftOut preview={preview} isMail={draft.channel === 'mail'} />
      {failure}
      <section className={styles.letter} aria-label="Preview" data-channel={draft.channel}>
        {preview.sample.subject !== null && <h3>{preview.sample.subject}</h3>}
        <p>{preview.sample.text}</p>
      </section>
    </div>
  )
}
