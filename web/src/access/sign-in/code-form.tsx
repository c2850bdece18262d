import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CodeField, isCompleteCode } from './code-field.tsx'
import { StepButton } from './step-button.tsx'
import styles from './steps.module.css'

interface Props {
  hint: string
  onCode: (code: string) => void
  isBusy: boolean
  /** When the last code was rejected, the field is cleared and focused. */
  error: unknown
  /** Above the field. */
  head?: ReactNode
  failure: ReactNode
  foot?: ReactNode
  action?: string
  busy?: string
}

/** Asks for six digits. */
export function CodeForm(props: Props) {
  const { hint, onCode, isBusy, error, head, failure, foot, action = 'Verify', busy = 'Verifying' } = props
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const hasFailed = error !== undefined && error !== null
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (!hasFailed) return
    setCode('')
    field.current?.focus()
  }, [hasFailed])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && isCompleteCode(code)) onCode(code)
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {head}
      <CodeField
        ref={field}
        label="6-digit code"
        hint={hint}
        value={code}
        onChange={setCode}
        isDisabled={isBusy}
        isWrong={hasFailed && code === ''}
      />
      <StepButton busy={busy} isBusy={isBusy} isDisabled={!isCompleteCode(code)}>
        {action}
      </StepButton>
      {failure}
      {foot}
    </form>
  )
}
