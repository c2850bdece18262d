import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** A change whose reply may hold a secret. Afterward everything under `key` is read again. */
export function useSecretMutation<Input, Reply>(key: QueryKey, change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The cache must not keep the secret.
    gcTime: 0,
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  })
}
