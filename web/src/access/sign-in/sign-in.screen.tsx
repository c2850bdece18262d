import type { ReactNode } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'
import { WhoRow } from '../workers/who-row.tsx'
import { CodeForm } from './code-form.tsx'
import { EmailStep } from './email-step.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { ReadMails } from './read-mails.tsx'
import { ResendCode } from './resend-code.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import styles from './steps.module.css'
import { type SignIn, type SignInStep, useSignIn } from './use-sign-in.ts'

const names = ['Email', 'Device code', 'Passkey', '2FA code']

interface StepText {
  title: string
  context: ReactNode
  /** Its index among the steps. */
  index: number
}

const stepTexts: Record<SignInStep, StepText> = {
  email: { title: 'Sign in', context: 'For staff of the stretching service.', index: 0 },
  'device-auth': {
    title: 'Device code',
    context: 'New browser: enter the code we emailed you.',
    index: 1,
  },
  'passkey-setup': { title: 'Set up a passkey', context: 'Your account has no passkey yet.', index: 2 },
  passkey: { title: 'Passkey', context: "Confirm with your device's passkey.", index: 2 },
  '2fa': { title: 'Two-factor code', context: 'Enter the 6-digit code from your authenticator app.', index: 3 },
  finish: { title: 'Almost signed in', context: 'Every step is confirmed.', index: 3 },
}

const withoutMail = (
  <>
    New browser: run <ReadMails /> on the server to see the code.
  </>
)

function LostAccess({ question }: { question: string }) {
  return (
    <p className={styles.line}>
      {question} <a href="/recovery">Recover access</a>
    </p>
  )
}

function Who({ flow, state }: { flow: SignIn; state: string }) {
  return <WhoRow email={flow.email} state={state} onStartOver={flow.restart} />
}

const lostDevice = <LostAccess question="Lost your device or passkey?" />

const bodies: Record<SignInStep, (flow: SignIn, failure: ReactNode) => ReactNode> = {
  email: (flow, failure) => (
    <EmailStep
      email={flow.email}
      onContinue={(email) => void flow.begin(email)}
      isBusy={flow.isBusy}
      failure={failure}
      foot={lostDevice}
      autoComplete="username webauthn"
    />
  ),
  'device-auth': (flow, failure) => (
    <CodeForm
      head={<Who flow={flow} state="Waiting for the code" />}
      hint="Codes work for ten minutes. Use the newest one."
      onCode={(code) => void flow.proveDevice(code)}
      isBusy={flow.isBusy}
      error={flow.failure}
      failure={failure}
      foot={<ResendCode onResend={flow.resend} isBusy={flow.isBusy} />}
    />
  ),
  'passkey-setup': (flow, failure) => (
    <PasskeyStep
      head={<Who flow={flow} state="Device code confirmed" />}
      action="Register Passkey"
      busy="Setting up"
      onPress={() => void flow.setUp()}
      isBusy={flow.isBusy}
      failure={failure}
      foot={<p className={styles.line}>Your device will ask for your fingerprint, face or screen lock.</p>}
    />
  ),
  passkey: (flow, failure) => (
    <PasskeyStep
      head={<Who flow={flow} state={flow.isKnownBrowser ? 'Known browser' : 'Device code confirmed'} />}
      action="Use passkey"
      busy="Waiting for your passkey"
      onPress={() => void flow.prove()}
      isBusy={flow.isBusy}
      failure={failure}
      foot={lostDevice}
    />
  ),
  '2fa': (flow, failure) => (
    <CodeForm
      head={<Who flow={flow} state="Passkey confirmed on this device" />}
      hint="The code changes every 30 seconds. Each code works once."
      onCode={(code) => void flow.proveTwoFactor(code)}
      isBusy={flow.isBusy}
      error={flow.failure}
      failure={failure}
      foot={<LostAccess question="No access to your authenticator app?" />}
    />
  ),
  finish: (flow, failure) => (
    <PasskeyStep
      head={<Who flow={flow} state="Two-factor code confirmed" />}
      action="Try again"
      busy="Signing in"
      onPress={() => void flow.finish()}
      isBusy={flow.isBusy}
      failure={failure}
    />
  ),
}

export default function SignInScreen({ hasEnded = false }: { hasEnded?: boolean }) {
  const flow = useSignIn()
  const { title, context, index } = stepTexts[flow.step]
  const isMailed = flow.hasMailServer || flow.step !== 'device-auth'
  return (
    <SignInFrame
      title={title}
      context={isMailed ? context : withoutMail}
      steps={{ names, current: index, label: 'Sign-in steps' }}
    >
      {flow.notice && <Banner kind="amber">{flow.notice}</Banner>}
      {hasEnded && flow.step === 'email' && !flow.notice && (
        <Banner kind="blue">Your session ended. Sign in again to continue where you left off.</Banner>
      )}
      <div key={flow.step}>{bodies[flow.step](flow, <FailureNote error={flow.failure} />)}</div>
    </SignInFrame>
  )
}
