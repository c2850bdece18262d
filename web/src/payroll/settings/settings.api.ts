import type { InputOf } from '@limber/contract/kit/call.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { payrollKey } from '../payroll.api.ts'

export const settingsKey = [...payrollKey, 'settings']

export const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: ({ signal }) => send(readSettings, {}, { signal }),
})

export type SettingsChange = InputOf<typeof changeSettings>['body']

export function useChangeSettings() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange) => send(changeSettings, { body }),
    onSuccess: (settings) => {
      cache.setQueryData(settingsKey, settings)
      void cache.invalidateQueries({ queryKey: payrollKey })
    },
  })
}
