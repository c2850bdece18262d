import type { ReactNode } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { NO_PASSKEYS, supportsPasskeys } from '../passkeys/passkey.ts'
import { StepButton } from './step-button.tsx'
import styles from './steps.module.css'

interface Props {
  action: string
  busy: string
  onPress: () => void
  isBusy: boolean
  head?: ReactNode
  failure: ReactNode
  foot?: ReactNode
}

/** A button that opens the browser's passkey prompt. */
export function PasskeyStep({ action, busy, onPress, isBusy, head, failure, foot }: Props) {
  const isPossible = supportsPasskeys()
  return (
    <div className={styles.form}>
      {head}
      <StepButton hasFocus busy={busy} isBusy={isBusy} isDisabled={!isPossible} onPress={onPress}>
        {action}
      </StepButton>
      {isPossible ? failure : <Banner kind="red">{NO_PASSKEYS}</Banner>}
      {foot}
    </div>
  )
}
