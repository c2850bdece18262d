import { Button } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { SavedCheck } from '../onboarding/saved-check.tsx'
import { RecoveryCodes } from '../recovery/recovery-codes.tsx'
import { useRenewCodes } from './profile.api.ts'
import styles from './profile.module.css'

const CODE_COUNT = 10
const LOW_CODES = 3

/** Codes are shown once, so the dialog closes only after they are marked as saved. */
function NewCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false)
  const foot = (
    <Button disabled={!isSaved} onClick={onClose}>
      Done
    </Button>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Your new recovery codes"
      foot={foot}
      closesOnEscape={isSaved}
      closesOnOutside={isSaved}
      hasCloseButton={isSaved}
    >
      <RecoveryCodes codes={codes} isSaved={isSaved} />
      <SavedCheck isSaved={isSaved} onChange={setSaved} />
    </Dialog>
  )
}

export function MyRecoveryCodes({ left }: { left: number }) {
  const renew = useRenewCodes()
  const ask = async () => {
    const question = {
      title: 'Generate ten new recovery codes?',
      body: 'Your old codes stop working immediately. This cannot be undone. You confirm with your passkey.',
      action: 'Generate new codes',
    }
    if (await confirm(question))
      void renew.mutateAsync().catch((error: unknown) => toastFailure("Couldn't generate new codes", error))
  }
  const actions = (
    <Button variant="default" size="xs" loading={renew.isPending} onClick={() => void ask()}>
      Generate new codes
    </Button>
  )
  return (
    <SectionCard title="Recovery codes" actions={actions}>
      <div className={styles.lines}>
        <p>
          {left} of {CODE_COUNT} left. Use one to get back in if you lose your device.
        </p>
        {left < LOW_CODES && (
          <Banner kind="amber">{left === 0 ? 'No codes left.' : 'Only a few codes left.'} Generate new ones.</Banner>
        )}
      </div>
      {renew.data && <NewCodes codes={renew.data.recoveryCodes} onClose={() => renew.reset()} />}
    </SectionCard>
  )
}
