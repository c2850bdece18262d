import { Button, TextInput } from '@mantine/core'
import { Email } from '@limber/contract/kit/values.ts'
import { type FormEvent, useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { Banner } from '#ui/banner.tsx'
import styles from './email-step.module.css'

interface Props {
  /** Sends the address on; throws with the words to show. */
  onContinue: (email: string) => Promise<void>
}

/** The first step: who is it? */
export function EmailStep({ onContinue }: Props) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const read = Email.safeParse(email)
    if (!read.success) return setProblem('Invalid email format.')
    setFailure(undefined)
    setSending(true)
    try {
      await onContinue(read.data)
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {failure !== undefined && <Banner kind="red">{wordsOf(failure)}</Banner>}
      <TextInput
        classNames={{ input: styles.input ?? '' }}
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username webauthn"
        autoFocus
        value={email}
        error={problem}
        disabled={isSending}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" size="lg" fullWidth loading={isSending}>
        Continue
      </Button>
      <p className={styles.lost}>
        Lost your device or passkey? <a href="/recovery">Recover access</a>
      </p>
    </form>
  )
}
