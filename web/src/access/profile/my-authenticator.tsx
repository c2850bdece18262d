import { Button } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { TwoFactorSetup } from '../onboarding/two-factor-setup.tsx'
import { useConfirmAuthenticator, useStartAuthenticator } from './profile.api.ts'
import styles from './profile.module.css'

function Replace({ onClose }: { onClose: () => void }) {
  const generate = useStartAuthenticator()
  const confirm = useConfirmAuthenticator(() => {
    toast('Authenticator app replaced.')
    onClose()
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Replace authenticator app"
      context="The old app works until you confirm a code from the new one. You confirm with your passkey."
      size={400}
    >
      <TwoFactorSetup generate={generate} confirm={confirm} />
    </Dialog>
  )
}

/** The authenticator app, with a way to replace it. */
export function MyAuthenticator() {
  const [isReplacing, setReplacing] = useState(false)
  const actions = (
    <Button variant="default" size="xs" onClick={() => setReplacing(true)}>
      Replace
    </Button>
  )
  return (
    <SectionCard title="Authenticator app" actions={actions}>
      <div className={styles.lines}>
        <p>Gives you the two-factor code for each sign-in. Replace it before you give away an old phone.</p>
      </div>
      {isReplacing && <Replace onClose={() => setReplacing(false)} />}
    </SectionCard>
  )
}
