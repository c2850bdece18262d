import {
  createApiKey,
  listApiKeys,
  readApiKeyUsage,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '@limber/contract/access/api-keys/api-key.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useSecretMutation } from '../secrets/use-secret-mutation.ts'

/** The live topic `api-keys` refreshes it. */
export const apiKeysKey = ['api-keys']

const idOf = (id: number) => ({ id: String(id) })

export const apiKeysQuery = queryOptions({
  queryKey: [...apiKeysKey, 'list'],
  queryFn: ({ signal }) => send(listApiKeys, {}, { signal }),
})

export const usageQuery = (id: number) =>
  queryOptions({
    queryKey: [...apiKeysKey, 'usage', id],
    queryFn: ({ signal }) => send(readApiKeyUsage, { params: idOf(id) }, { signal }),
  })

const useChange = <Input, Reply>(change: (input: Input) => Promise<Reply>) => useSecretMutation(apiKeysKey, change)

export const useCreateKey = () =>
  useChange((body: InputOf<typeof createApiKey>['body']) => send(createApiKey, { body }))

export const useUpdateKey = (id: number) =>
  useChange((body: InputOf<typeof updateApiKey>['body']) => send(updateApiKey, { params: idOf(id), body }))

export const useRotateKey = (id: number) =>
  useChange((body: InputOf<typeof rotateApiKey>['body']) => send(rotateApiKey, { params: idOf(id), body }))

export const useRevokeKey = () => useChange((id: number) => send(revokeApiKey, { params: idOf(id), body: {} }))
