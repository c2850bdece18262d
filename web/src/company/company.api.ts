import { confirmBackupKey, readBackupKey, revealBackupKey } from '@limber/contract/company/backup-key.ts'
import { readCompany, removeLogo, updateCompany, uploadLogo } from '@limber/contract/company/company.ts'
import { readMailServer, testMailServer, updateMailServer } from '@limber/contract/company/mail-server.ts'
import { changeSetup, readSetup } from '@limber/contract/company/setup.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { SendOptions } from '#platform/api/request.ts'

/** The prefix of all queries about the company. The live topic `company` invalidates it. */
export const companyKey = ['company']
export const setupKey = [...companyKey, 'setup']

export const companyQuery = queryOptions({
  queryKey: [...companyKey, 'profile'],
  queryFn: ({ signal }) => send(readCompany, {}, { signal }),
})

export const mailServerQuery = queryOptions({
  queryKey: [...companyKey, 'mail server'],
  queryFn: async ({ signal }) => (await send(readMailServer, {}, { signal })).mailServer,
})

export const backupKeyQuery = queryOptions({
  queryKey: [...companyKey, 'backup key'],
  queryFn: ({ signal }) => send(readBackupKey, {}, { signal }),
})

export const setupQuery = queryOptions({
  queryKey: setupKey,
  queryFn: ({ signal }) => send(readSetup, {}, { signal }),
})

/** A change of the company. Everything about it is read again, whether it worked or not. */
function useCompanyChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => cache.invalidateQueries({ queryKey: companyKey }) })
}

type ProfileChange = InputOf<typeof updateCompany>['body']
export function useUpdateCompany() {
  const cache = useQueryClient()
  return useCompanyChange(async (body: ProfileChange) => {
    const { company } = await send(updateCompany, { body })
    // A new time zone makes the page start over, maybe before the profile was read again.
    cache.setQueryData(companyQuery.queryKey, (before) => before && { ...before, company })
    return company
  })
}

export const useUploadLogo = () =>
  useCompanyChange(({ file, options }: { file: File; options: SendOptions }) =>
    send(uploadLogo, { body: { file } }, options),
  )

export const useRemoveLogo = () => useCompanyChange(() => send(removeLogo, {}))

type MailChange = InputOf<typeof updateMailServer>['body']
export const useUpdateMailServer = () =>
  useCompanyChange(async (body: MailChange) => (await send(updateMailServer, { body })).mailServer)

export const useTestMailServer = () => useCompanyChange(() => send(testMailServer, { body: {} }))

export const useRevealBackupKey = () => useMutation({ mutationFn: () => send(revealBackupKey, { body: {} }) })

export const useConfirmBackupKey = () =>
  useCompanyChange((keyId: string) => send(confirmBackupKey, { body: { keyId } }))

export const useHideGuide = () => useCompanyChange((isHidden: boolean) => send(changeSetup, { body: { isHidden } }))

/** Sets the day on which payroll starts. It is shown open only while there is none, so the latest version is right. */
export const useStartPayroll = () =>
  useCompanyChange(async (starts_on: string) => {
    const { version } = await send(readSettings, {})
    return send(changeSettings, { body: { starts_on, version } })
  })
