import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { replacePath } from '#platform/routing/pathname.ts'
import { sessionQuery } from '#platform/session/session.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { RecoveryCodes } from '../recovery/recovery-codes.tsx'
import styles from '../sign-in/steps.module.css'
import { SavedCheck } from './saved-check.tsx'

interface Props {
  worker: { id: number; role: string | null }
  recoveryCodes: readonly string[]
}

/** The last step: the worker ID and the recovery codes, which are shown once. */
export function OnboardingComplete({ worker, recoveryCodes }: Props) {
  const cache = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  // The setup guide on Today waits for an Owner.
  const isOwner = worker.role === 'Owner'
  const goOn = async () => {
    // A recovery may have ended the session in this browser.
    await cache.refetchQueries({ queryKey: sessionQuery.queryKey })
    replacePath(isOwner ? '/worker/managing/today' : '/dashboard/worker-profile')
  }
  return (
    <div className={styles.form}>
      <Facts>
        <Facts.Row label="Worker ID">{worker.id}</Facts.Row>
      </Facts>
      <RecoveryCodes codes={recoveryCodes} isSaved={isSaved} />
      <SavedCheck isSaved={isSaved} onChange={setSaved} />
      <Button size="lg" fullWidth disabled={!isSaved} onClick={() => void goOn()}>
        {isOwner ? 'Go to Today' : 'Go to Worker Profile'}
      </Button>
    </div>
  )
}
