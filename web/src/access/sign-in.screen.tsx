import { CallFailure } from '#platform/call-failure.ts'
import { Banner } from '#ui/banner.tsx'
import { EmailStep } from './email-step.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

const steps = { names: ['E-mail', 'Device code', 'Passkey', '2FA code'], current: 0, label: 'Sign-in steps' }

/** The sign-in page. */
export default function SignIn({ hasEnded = false }: { hasEnded?: boolean }) {
  const start = async () => {
    throw new CallFailure(0, {
      error: 'This server does not take sign-ins by e-mail. Use the one-time link that it printed at its start.',
      code: 'sign_in_closed',
    })
  }
  return (
    <SignInFrame title="Sign in" context="For staff of the stretching service." steps={steps}>
      {hasEnded && <Banner kind="blue">Your session has ended. Sign in again to go on where you were.</Banner>}
      <EmailStep onContinue={start} />
    </SignInFrame>
  )
}
