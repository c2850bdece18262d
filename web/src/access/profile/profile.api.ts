import { confirmAuthenticator, startAuthenticator } from '@limber/contract/access/passkeys/authenticator.ts'
import {
  correctProfile,
  endMySession,
  finishAddPasskey,
  readProfile,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  revokeMyDevice,
  startAddPasskey,
} from '@limber/contract/access/profile/profile.ts'
import { signOutEverywhere } from '@limber/contract/access/sessions/session.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { keepLasting } from '#platform/preferences.ts'
import { discardReturnLink } from '#platform/routing/return-link.ts'
import { sessionQuery } from '#platform/session/session.tsx'
import { createPasskey } from '../passkeys/passkey.ts'
import { attempt } from '../sign-in/step-failure.ts'

const queryKey = ['profile']

export const profileQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => send(readProfile, {}, { signal }),
})

/** A change to my account that refreshes the profile. */
function useChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => cache.invalidateQueries({ queryKey }) })
}

async function addPasskey() {
  const { options } = await attempt('Failed to start passkey setup', send(startAddPasskey, { body: {} }))
  const credential = await createPasskey(options)
  return attempt('Failed to complete passkey setup', send(finishAddPasskey, { body: { credential } }))
}

/** Also refreshes the session, which contains name and email. */
export function useCorrectProfile() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof correctProfile>['body']) => send(correctProfile, { body }),
    onSettled: () =>
      Promise.all([queryKey, sessionQuery.queryKey].map((key) => cache.invalidateQueries({ queryKey: key }))),
  })
}

export const useAddPasskey = () => useChange(addPasskey)
export const useRenamePasskey = (id: number) =>
  useChange((body: { name: string }) => send(renamePasskey, { params: { id: String(id) }, body }))
export const useRemovePasskey = () => useChange((id: number) => send(removePasskey, { params: { id: String(id) } }))
export const useEndSessions = () =>
  useChange((ids: readonly number[]) =>
    Promise.all(ids.map((id) => send(endMySession, { params: { id: String(id) } }))),
  )
export const useForgetDevice = () => useChange((id: number) => send(revokeMyDevice, { params: { id: String(id) } }))
export const useRenewCodes = () => useChange(() => send(renewRecoveryCodes, { body: {} }))

export const useStartAuthenticator = () =>
  useMutation({ mutationFn: () => attempt('Failed to set up 2FA', send(startAuthenticator, { body: {} })) })
export const useConfirmAuthenticator = (onSuccess: () => void) =>
  useMutation({
    mutationFn: (code: string) => attempt('Failed to set up 2FA', send(confirmAuthenticator, { body: { code } })),
    onSuccess,
  })

export const useSignOutEverywhere = () =>
  useMutation({
    mutationFn: () => keepLasting(() => send(signOutEverywhere, { body: {} })),
    onSuccess: () => {
      discardReturnLink()
      location.assign('/')
    },
  })
