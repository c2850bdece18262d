import {
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  finishOnboardingPasskey,
  type OnboardingProgress,
  setMfa,
  startOnboardingPasskey,
  verifyOnboarding,
} from '@limber/contract/access/onboarding/onboarding.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { createPasskey } from '../passkeys/passkey.ts'
import { attempt, causeOf } from '../sign-in/step-failure.ts'
import { dropSecret } from './secret-link.ts'

export type OnboardingStep = 'verify' | 'passkey' | 'two-factor' | 'multi-device' | 'finalize' | 'complete'

type Status = Pick<OnboardingProgress, 'hasPasskey' | 'has2FA' | 'hasMultiDeviceAuth'>

/** Derives the step from the progress on the server. */
function stepOf(status: Status | undefined): OnboardingStep {
  if (!status) return 'verify'
  if (!status.hasPasskey) return 'passkey'
  if (!status.has2FA) return 'two-factor'
  return status.hasMultiDeviceAuth ? 'finalize' : 'multi-device'
}

const queryKey = ['onboarding']

/** No reply from our server, so the call may have succeeded or not. */
const isUnanswered = (cause: unknown) =>
  cause instanceof CallFailure && (cause.isTransient || cause.code === 'not_json')

/** The steps of an onboarding link. */
export function useOnboarding(token: string | undefined) {
  const cache = useQueryClient()
  const body = { token: token ?? '' }
  const link = useQuery({
    queryKey,
    queryFn: () => send(verifyOnboarding, { body }),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })

  const setProgress = ({ hasPasskey, has2FA, hasMultiDeviceAuth }: Status, passkeys = 0) =>
    cache.setQueryData<OnboardingProgress>(queryKey, (before) =>
      before ? { ...before, hasPasskey, has2FA, hasMultiDeviceAuth, passkeys: before.passkeys + passkeys } : undefined,
    )
  // A conflict means that another device advanced the link, so read the progress again.
  const onError = (error: Error) => {
    const cause = causeOf(error)
    if (cause instanceof CallFailure && cause.status === 409) void cache.invalidateQueries({ queryKey })
  }

  const register = useMutation({
    mutationFn: async () => {
      const start = send(startOnboardingPasskey, { body })
      const { options } = await attempt('Failed to start passkey registration', start)
      const credential = await createPasskey(options)
      const finish = send(finishOnboardingPasskey, { body: { ...body, credential } })
      return attempt('Failed to complete passkey registration', finish)
    },
    onSuccess: (status) => setProgress(status, 1),
    onError,
  })
  const generate = useMutation({
    mutationFn: () => attempt('Failed to set up 2FA', send(setMfa, { body })),
    onError,
  })
  const confirm = useMutation({
    mutationFn: (code: string) => attempt('Failed to set up 2FA', send(confirmMfa, { body: { ...body, code } })),
    onSuccess: (status) => setProgress(status),
    onError,
  })
  const enable = useMutation({
    mutationFn: () => attempt('Failed to enable multi-device auth', send(enableMultiDevice, { body })),
    onSuccess: (status) => setProgress(status),
    onError,
  })
  // The last step got no reply. It may be done and the link used.
  const [isUnclear, setUnclear] = useState(false)
  const finalize = useMutation({
    mutationFn: () => attempt('Failed to complete onboarding', send(finalizeOnboarding, { body })),
    onSuccess: () => dropSecret('token'),
    onError: (error) => {
      if (isUnanswered(causeOf(error))) setUnclear(true)
      else onError(error)
    },
    // After a lost reply, a retry would report the used link as invalid.
    retry: false,
  })

  const step: OnboardingStep = finalize.data ? 'complete' : stepOf(link.data)
  return { step, link, register, generate, confirm, enable, finalize, isUnclear }
}

export type Onboarding = ReturnType<typeof useOnboarding>
