import { SignInFrame } from './sign-in-frame.tsx'

/** Where an invitation leads. */
export default function Onboarding() {
  return (
    <SignInFrame title="Set up access" context="This page opens from the link in your invitation.">
      <p>
        Without a link, ask somebody who manages access to invite you. <a href="/">Back to sign-in</a>
      </p>
    </SignInFrame>
  )
}
