import { Button, Loader } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

interface Props {
  children: ReactNode
  /** The words while it works. */
  busy: string
  isBusy: boolean
  isDisabled?: boolean
  /** Sends the form around it when there is none. */
  onPress?: () => void
  isQuiet?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** The wide button of a step. While it works it says so and keeps the focus, so that nobody is thrown off the page. */
export function StepButton({ children, busy, isBusy, isDisabled = false, onPress, isQuiet = false, ref }: Props) {
  return (
    <Button
      {...(ref ? { ref } : {})}
      size="lg"
      fullWidth
      variant={isQuiet ? 'default' : 'filled'}
      type={onPress ? 'button' : 'submit'}
      disabled={isDisabled && !isBusy}
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader /> : undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onPress?.()
      }}
    >
      {isBusy ? busy : children}
    </Button>
  )
}
