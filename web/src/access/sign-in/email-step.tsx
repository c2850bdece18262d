import { Email } from '@limber/contract/kit/values.ts'
import { TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { StepButton } from './step-button.tsx'
import styles from './steps.module.css'

interface Props {
  email: string
  onContinue: (email: string) => void
  isBusy: boolean
  /** The error of the last attempt, below the button. */
  failure?: ReactNode
  /** The line below, with a way out. */
  foot: ReactNode
  autoComplete?: string
}

export function EmailStep({ email: known, onContinue, isBusy, failure, foot, autoComplete = 'username' }: Props) {
  const [email, setEmail] = useState(known)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const read = Email.safeParse(email)
    if (read.success) return onContinue(read.data)
    setProblem(email.trim() === '' ? 'Email is required.' : 'Invalid email format.')
    field.current?.focus()
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        classNames={{ input: styles.input ?? '' }}
        label="Email"
        type="email"
        name="email"
        required
        withAsterisk={false}
        autoComplete={autoComplete}
        value={email}
        error={problem}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <StepButton busy="Checking" isBusy={isBusy}>
        Continue
      </StepButton>
      {failure}
      {foot}
    </form>
  )
}
