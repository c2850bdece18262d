import { Button, Loader } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  children: ReactNode
  /** The label while it is busy. */
  busy: string
  isBusy: boolean
  isDisabled?: boolean
  /** Without it, the button submits its form. */
  onPress?: () => void
  isQuiet?: boolean
  /** Takes the focus when it appears. */
  hasFocus?: boolean
}

/** The wide button of a step. It stays enabled while busy, so that it keeps the focus. */
export function StepButton(props: Props) {
  const { children, busy, isBusy, isDisabled = false, onPress, isQuiet = false, hasFocus = false } = props
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [hasFocus])
  return (
    <Button
      ref={button}
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
