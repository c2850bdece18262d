import type { Campaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { Button } from '@mantine/core'
import { Can } from '#platform/session/session.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { usePushCampaign } from './campaign.api.ts'
import { pushText } from './campaign-labels.ts'
import styles from './campaigns.module.css'

/** The state of a campaign on Meta, Meta's error, and a button to send or retry. */
export function PushLine({ campaign }: { campaign: Campaign }) {
  const push = usePushCampaign(campaign.id)
  const status = pushText(campaign)
  if (!status) return null
  const { state, error } = campaign.push
  // A completed campaign is not sent. Staff can set another status first.
  const isCompleted = state === 'local' && campaign.status === 'completed'
  const canSend = !isCompleted && (state === 'failed' || state === 'retrying' || state === 'local')
  return (
    <div className={styles.push}>
      <div className={styles.said}>
        <StatusDot meaning={status.meaning}>{status.text}</StatusDot>
        {error && <p className={styles.error}>{error}</p>}
      </div>
      {canSend && (
        <Can permission="campaigns.edit">
          <Button
            size="xs"
            variant="default"
            loading={push.isPending}
            aria-label={`${state === 'local' ? 'Send to Meta' : 'Try again'}: ${campaign.name}`}
            onClick={() =>
              void push
                .mutateAsync(undefined)
                .catch((failed: unknown) => toastFailure("Couldn't send the campaign to Meta", failed))
            }
          >
            {state === 'local' ? 'Send to Meta' : 'Try again'}
          </Button>
        </Can>
      )}
    </div>
  )
}
