import { type ReactNode, useState } from 'react'
import { CallFailure } from '#platform/api/call-failure.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'
import { PasskeyStep } from '../sign-in/passkey-step.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { StepButton } from '../sign-in/step-button.tsx'
import { StepFailure } from '../sign-in/step-failure.ts'
import styles from '../sign-in/steps.module.css'
import { WhoRow } from '../workers/who-row.tsx'
import { OnboardingComplete } from './onboarding-complete.tsx'
import { takeSecret } from './secret-link.ts'
import { TwoFactorSetup } from './two-factor-setup.tsx'
import { type Onboarding, type OnboardingStep, useOnboarding } from './use-onboarding.ts'

const names = ['Verify', 'Passkey', '2FA', 'Multi-Device']
const BAD_LINK = 'Invalid onboarding link. Please request a new one.'

interface StepText {
  title: string
  context: string
  index: number
}

const stepTexts: Record<OnboardingStep, StepText> = {
  verify: { title: 'Set up access', context: 'Verifying the link', index: 0 },
  passkey: {
    title: 'Set Up Passkey',
    context: "A passkey signs you in with your device's fingerprint, face or screen lock.",
    index: 1,
  },
  'two-factor': {
    title: 'Set Up Two-Factor Authentication',
    context: 'An authenticator app gives you a new code for each sign-in.',
    index: 2,
  },
  'multi-device': {
    title: 'Enable Multi-Device Authentication',
    context: 'New browsers will have to enter a device code.',
    index: 3,
  },
  finalize: {
    title: 'Complete Onboarding',
    context: 'Every step is done. Complete onboarding to activate your account.',
    index: 4,
  },
  complete: { title: 'Onboarding Complete', context: 'Your account is ready. You can sign in now.', index: 4 },
}

const mandatory = <p className={styles.line}>These settings are required for all workers and cannot be turned off.</p>

function Greeting({ link }: Pick<Onboarding, 'link'>) {
  if (!link.data) return null
  const { name, email, isRecovery } = link.data
  return (
    <>
      <WhoRow email={email} state={isRecovery ? `${name}, recovering access` : `${name}, invited`} />
      {isRecovery && (
        <Banner kind="amber">When you finish, your old passkeys stop working and all your sessions end.</Banner>
      )}
    </>
  )
}

function SecondPasskey({ register, link }: Onboarding) {
  const passkeys = link.data?.passkeys ?? 1
  return (
    <>
      <p className={styles.line}>
        {passkeys > 1
          ? `${passkeys} passkeys are registered.`
          : 'Add a second passkey on your phone or a security key, in case you lose this device.'}
      </p>
      {passkeys < 3 && (
        <StepButton isQuiet busy="Setting up" isBusy={register.isPending} onPress={() => register.mutate()}>
          Add another passkey
        </StepButton>
      )}
      <FailureNote error={register.error} unexpected="Passkey setup failed" />
    </>
  )
}

function BadLink({ link }: { link?: Onboarding['link'] }) {
  const mayRetry = link?.error instanceof CallFailure && link.error.isOutcomeUnknown
  return (
    <div className={styles.form}>
      <FailureNote
        error={link ? new StepFailure('Failed to verify token', link.error) : new Error(BAD_LINK)}
        unexpected={link ? 'An error occurred' : BAD_LINK}
      />
      {mayRetry && (
        <StepButton isQuiet busy="Verifying" isBusy={link.isFetching} onPress={() => void link.refetch()}>
          Retry
        </StepButton>
      )}
      <p className={styles.line}>
        A colleague who manages access can send you a new one. <a href="/">Back to sign-in</a>
      </p>
    </div>
  )
}

const bodies: Record<OnboardingStep, (flow: Onboarding) => ReactNode> = {
  verify: ({ link }) => (link.isError ? <BadLink link={link} /> : null),
  passkey: ({ link, register }) => (
    <PasskeyStep
      head={<Greeting link={link} />}
      action="Register Passkey"
      busy="Setting up"
      onPress={() => register.mutate()}
      isBusy={register.isPending}
      failure={<FailureNote error={register.error} unexpected="Passkey setup failed" />}
      foot={mandatory}
    />
  ),
  'two-factor': (flow) => <TwoFactorSetup {...flow} />,
  'multi-device': ({ enable }) => (
    <div className={styles.form}>
      <StepButton hasFocus busy="Enabling" isBusy={enable.isPending} onPress={() => enable.mutate()}>
        Enable Multi-Device Authentication
      </StepButton>
      <FailureNote error={enable.error} unexpected="Multi-device auth setup failed" />
      {mandatory}
    </div>
  ),
  finalize: (flow) => (
    <div className={styles.form}>
      <StepButton
        hasFocus
        busy="Finalizing"
        isBusy={flow.finalize.isPending}
        isDisabled={flow.register.isPending}
        onPress={() => flow.finalize.mutate()}
      >
        Complete Onboarding
      </StepButton>
      {flow.isUnclear && !flow.finalize.isPending && (
        <Banner kind="amber">
          Your account may be ready. Try to <a href="/">sign in</a>. You can generate new recovery codes in your
          profile.
        </Banner>
      )}
      <FailureNote error={flow.finalize.error} unexpected="Finalization failed" />
      <SecondPasskey {...flow} />
    </div>
  ),
  complete: ({ finalize }) => finalize.data && <OnboardingComplete {...finalize.data} />,
}

/** The page of an onboarding link. Progress is on the server, so any device resumes at the same step. */
export default function OnboardingScreen() {
  const [token] = useState(() => takeSecret('token'))
  const flow = useOnboarding(token)
  const { title, context, index } = stepTexts[flow.step]
  const isBad = token === undefined || (flow.step === 'verify' && flow.link.isError)
  return (
    <SignInFrame
      title={title}
      context={isBad ? undefined : context}
      steps={{ names, current: index, label: 'Onboarding steps' }}
    >
      {token === undefined && flow.step === 'verify' ? (
        <BadLink />
      ) : (
        <div key={flow.step}>{bodies[flow.step](flow)}</div>
      )}
    </SignInFrame>
  )
}
