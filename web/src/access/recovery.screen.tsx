import { SignInFrame } from './sign-in-frame.tsx'

/** For those who lost their device or passkey. */
export default function Recovery() {
  return (
    <SignInFrame title="Recover access" context="For those who lost their device or passkey.">
      <p>
        A colleague who manages access can send you a new onboarding link. <a href="/">Back to sign-in</a>
      </p>
    </SignInFrame>
  )
}
