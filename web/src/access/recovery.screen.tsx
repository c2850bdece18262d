import { redeemRecoveryCode, requestRecovery } from '@limber/contract/access/recovery.ts'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { send } from '#platform/api.ts'
import { Banner } from '#ui/banner.tsx'
import { EmailStep } from './email-step.tsx'
import { FailureNote } from './failure-note.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { StepButton } from './step-button.tsx'
import { attempt } from './step-failure.ts'
import styles from './steps.module.css'
import { WhoRow } from './who-row.tsx'

const names = ['E-mail', 'Proof', 'Mailbox']
const label = 'Recovery steps'
const back = (
  <p className={styles.line}>
    <a href="/">Back to sign-in</a>
  </p>
)

/** A recovery code, or the word of a colleague. */
function Proof({
  email,
  onStartOver,
  onAnswer,
}: {
  email: string
  onStartOver: () => void
  onAnswer: (words: string) => void
}) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const redeem = useMutation({
    mutationFn: () =>
      attempt('The recovery code could not be sent', send(redeemRecoveryCode, { body: { email, code } })),
    onSuccess: ({ message }) => onAnswer(message),
  })
  const ask = useMutation({
    mutationFn: () => attempt('The request could not be sent', send(requestRecovery, { body: { email } })),
    onSuccess: ({ message }) => onAnswer(message),
  })
  const isBusy = redeem.isPending || ask.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && code.trim() !== '') redeem.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <WhoRow email={email} state="Asks to recover access" onStartOver={onStartOver} />
      <TextInput
        ref={field}
        classNames={{ input: styles.code ?? '' }}
        label="Recovery code"
        description="One of the ten codes you saved. Each works once."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <StepButton busy="Checking" isBusy={redeem.isPending} isDisabled={code.trim() === '' || ask.isPending}>
        Use recovery code
      </StepButton>
      <FailureNote error={redeem.error ?? ask.error} />
      <p className={styles.or}>No code left?</p>
      <StepButton
        isQuiet
        busy="Asking"
        isBusy={ask.isPending}
        isDisabled={redeem.isPending}
        onPress={() => ask.mutate()}
      >
        Ask a colleague to approve
      </StepButton>
      {back}
    </form>
  )
}

/** For those who lost their device or passkey. The answers never say whether an address or a code was right. */
export default function Recovery() {
  const [email, setEmail] = useState('')
  const [isChosen, setChosen] = useState(false)
  const [answer, setAnswer] = useState<string>()
  const steps = { names, current: answer ? 2 : isChosen ? 1 : 0, label }
  if (answer) {
    return (
      <SignInFrame title="Look in your mailbox" context={email} steps={steps}>
        <Banner kind="green">{answer}</Banner>
        <p className={styles.line}>
          The link leads through the same steps as your first day: passkey, two-factor code, devices.
        </p>
        {back}
      </SignInFrame>
    )
  }
  return (
    <SignInFrame
      title="Recover access"
      context={isChosen ? 'Prove that it is you.' : 'For those who lost their device or passkey.'}
      steps={steps}
    >
      {isChosen ? (
        <Proof email={email} onStartOver={() => setChosen(false)} onAnswer={setAnswer} />
      ) : (
        <EmailStep
          email={email}
          isBusy={false}
          foot={back}
          onContinue={(given) => {
            setEmail(given)
            setChosen(true)
          }}
        />
      )}
    </SignInFrame>
  )
}
