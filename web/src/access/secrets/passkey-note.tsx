import { IconFingerprint } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'

/** Beside the buttons of a form that asks for the passkey. */
export const passkeyNote = (
  <>
    <Icon of={IconFingerprint} />
    You confirm with your passkey
  </>
)
