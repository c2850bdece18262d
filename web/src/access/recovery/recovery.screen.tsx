import { redeemRecoveryCode, requestRecovery } from '@limber/contract/access/recovery/recovery.ts'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { send } from '#platform/api/api.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'
import { EmailStep } from '../sign-in/email-step.tsx'
import { ReadMails } from '../sign-in/read-mails.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { StepButton } from '../sign-in/step-button.tsx'
import { attempt } from '../sign-in/step-failure.ts'
import styles from '../sign-in/steps.module.css'
import { WhoRow } from '../workers/who-row.tsx'

const names = ['Email', 'Proof', 'Link']
const label = 'Recovery steps'
const back = (
  <p className={styles.line}>
    <a href="/">Back to sign-in</a>
  </p>
)

interface Answer {
  message: string
  hasMailServer: boolean
  /** The reply does not say whether the code was correct, so it may be mistyped. */
  isForCode: boolean
}

interface ProofProps {
  email: string
  code: string
  onCode: (code: string) => void
  onStartOver: () => void
  onAnswer: (answer: Answer) => void
}

/** Asks for a recovery code or for a colleague's approval. */
function Proof({ email, code, onCode, onStartOver, onAnswer }: ProofProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const redeem = useMutation({
    mutationFn: () => attempt("Couldn't send the recovery code", send(redeemRecoveryCode, { body: { email, code } })),
    onSuccess: (reply) => onAnswer({ ...reply, isForCode: true }),
  })
  const ask = useMutation({
    mutationFn: () => attempt("Couldn't send the request", send(requestRecovery, { body: { email } })),
    onSuccess: (reply) => onAnswer({ ...reply, isForCode: false }),
  })
  const isBusy = redeem.isPending || ask.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && code.trim() !== '') redeem.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <WhoRow email={email} state="Recovering access" onStartOver={onStartOver} />
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
        onChange={(event) => onCode(event.currentTarget.value)}
      />
      <StepButton busy="Checking" isBusy={redeem.isPending} isDisabled={code.trim() === '' || ask.isPending}>
        Use recovery code
      </StepButton>
      <FailureNote error={redeem.error ?? ask.error} />
      <p className={styles.or}>No codes left?</p>
      <StepButton
        isQuiet
        busy="Sending"
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

/** Recovery of access. Replies never say whether an email or a code was correct. */
export default function Recovery() {
  const [email, setEmail] = useState('')
  const [isChosen, setChosen] = useState(false)
  const [code, setCode] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const steps = { names, current: answer ? 2 : isChosen ? 1 : 0, label }
  if (answer) {
    return (
      <SignInFrame title={answer.hasMailServer ? 'Check your inbox' : 'Request received'} context={email} steps={steps}>
        <Banner kind="green">{answer.message}</Banner>
        {!answer.hasMailServer && (
          <p className={styles.line}>
            No mail server is set up. Your administrator can see the link with <ReadMails />.
          </p>
        )}
        <p className={styles.line}>The link takes you through setup again: passkey, two-factor code, devices.</p>
        {answer.isForCode && (
          <div className={styles.form}>
            <p className={styles.line}>No link? You may have mistyped the code.</p>
            <StepButton isQuiet busy="" isBusy={false} onPress={() => setAnswer(undefined)}>
              Check the code and try again
            </StepButton>
          </div>
        )}
        {back}
      </SignInFrame>
    )
  }
  return (
    <SignInFrame
      title="Recover access"
      context={isChosen ? "Confirm that it's you." : 'Lost your device or passkey? Start here.'}
      steps={steps}
    >
      {isChosen ? (
        <Proof email={email} code={code} onCode={setCode} onStartOver={() => setChosen(false)} onAnswer={setAnswer} />
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
