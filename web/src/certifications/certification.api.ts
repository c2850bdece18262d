import {
  type CertificationInput,
  createCertification,
  deleteCertification,
  findHolders,
  listCertifications,
  listDueCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import {
  createCertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from '@limber/contract/certifications/type.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { CallFailure, currentOf } from '#platform/api/call-failure.ts'
import { withFallbackMessage } from '#platform/api/with-fallback-message.ts'

/** Prefix of all certification queries. Live updates invalidate it. */
export const certificationsKey = ['certifications']
const certificationKey = (id: number) => [...certificationsKey, 'one', id]

type Filter = NonNullable<InputOf<typeof listCertifications>['query']>

export const certificationsQuery = (query: Filter) =>
  queryOptions({
    queryKey: [...certificationsKey, 'list', query],
    queryFn: ({ signal }) => send(listCertifications, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const certificationQuery = (id: number) =>
  queryOptions({
    queryKey: certificationKey(id),
    queryFn: ({ signal }) => send(readCertification, { params: { id: String(id) } }, { signal }),
  })

export const decisionsQuery = queryOptions({
  queryKey: [...certificationsKey, 'decisions'],
  queryFn: ({ signal }) => send(listDueCertifications, {}, { signal }),
})

export const typesQuery = queryOptions({
  queryKey: [...certificationsKey, 'types'],
  queryFn: ({ signal }) => send(listCertificationTypes, {}, { signal }),
})

export const holdersQuery = (search: string) =>
  queryOptions({
    queryKey: [...certificationsKey, 'holders', search],
    queryFn: ({ signal }) => send(findHolders, { query: { search } }, { signal }),
    enabled: search !== '',
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

const NOT_SAVED = 'Failed to save certification'

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>, keep?: (reply: Reply) => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (reply) => keep?.(reply),
    onError: (error) => {
      const current = currentOf<typeof updateCertification>(error)
      if (current && 'shortId' in current) cache.setQueryData(certificationKey(current.id), current)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: certificationsKey }),
  })
}

/** Prefixes a failure with 'Error: '. Uses this text when the server sends none. */
async function withErrorPrefix<T>(text: string, call: Promise<T>): Promise<T> {
  try {
    return await withFallbackMessage(text, call)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    const { status, code, fields, current, retryAfter, message } = error
    throw new CallFailure(status, { error: `Error: ${message}`, code, fields: [...fields], current }, retryAfter)
  }
}

const params = (id: number) => ({ id: String(id) })

export const useIssue = () =>
  useChange((body: CertificationInput) => withErrorPrefix(NOT_SAVED, send(createCertification, { body })))
export const useUpdate = (id: number) =>
  useChange((body: CertificationInput) =>
    withErrorPrefix(NOT_SAVED, send(updateCertification, { params: params(id), body })),
  )
export const useRevoke = (id: number) =>
  useChange((body: InputOf<typeof revokeCertification>['body']) =>
    send(revokeCertification, { params: params(id), body }),
  )
export const useDelete = () =>
  useChange((id: number) =>
    withErrorPrefix('Failed to delete certification', send(deleteCertification, { params: params(id) })),
  )

export const useCreateType = () =>
  useChange((body: InputOf<typeof createCertificationType>['body']) => send(createCertificationType, { body }))
export const useChangeType = () =>
  useChange(({ id, body }: { id: number; body: InputOf<typeof updateCertificationType>['body'] }) =>
    send(updateCertificationType, { params: params(id), body }),
  )
export const useDeleteType = () => useChange((id: number) => send(deleteCertificationType, { params: params(id) }))
