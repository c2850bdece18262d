import { signInToSample } from '@limber/contract/access/sign-in/sign-in.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { replacePath } from '#platform/routing/pathname.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { dropSecret, takeSecret } from '../onboarding/secret-link.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { attempt, causeOf, explain } from './step-failure.ts'

const NO_KEY = 'This link is incomplete. Restart Limber to get a new one.'
const NOT_SAMPLE = 'This link only works for the sample company, on the computer that runs it.'

/** Signs a visitor in to the sample company with the one-time key of the link. */
export default function SampleSignIn() {
  const [key] = useState(() => takeSecret('key'))
  const isUsed = useRef(false)
  const open = useMutation({
    mutationFn: (given: string) =>
      attempt("Couldn't open the sample company", send(signInToSample, { body: { key: given } })),
    onSuccess: () => replacePath('/redirect'),
    onSettled: () => dropSecret('key'),
  })
  const { mutate } = open
  useEffect(() => {
    if (key === undefined || isUsed.current) return
    isUsed.current = true
    mutate(key)
  }, [key, mutate])

  const cause = causeOf(open.error)
  const isNotSample = cause instanceof CallFailure && cause.status === 404
  const message = isNotSample ? NOT_SAMPLE : explain(open.error).text
  const hasFailed = key === undefined || open.isError
  return (
    <SignInFrame title="Sample company" context={hasFailed ? undefined : 'Signing you in.'}>
      {hasFailed && <Banner kind="red">{key === undefined ? NO_KEY : message}</Banner>}
      {hasFailed && (
        <p>
          <a href="/">Go to sign-in</a>
        </p>
      )}
    </SignInFrame>
  )
}
