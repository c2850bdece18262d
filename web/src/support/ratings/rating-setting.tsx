import { RATING_LINK_DAYS, readRatingSettings, saveRatingSettings } from '@limber/contract/support/ratings/rating.ts'
import { Switch } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'

/** The live topic `promises` refreshes it. */
const settingKey = ['support', 'rating-settings']
const settingQuery = queryOptions({
  queryKey: settingKey,
  queryFn: ({ signal }) => send(readRatingSettings, {}, { signal }),
})

/** Whether customers are asked how we handled their tickets. */
export function RatingSetting() {
  const cache = useQueryClient()
  const query = useQuery(settingQuery)
  useLiveRefresh('promises', settingKey)
  const save = useMutation({
    mutationFn: (body: { isOn: boolean; version: number }) => send(saveRatingSettings, { body }),
    onSuccess: (saved) => cache.setQueryData(settingKey, saved),
    onSettled: () => cache.invalidateQueries({ queryKey: settingKey }),
  })
  const turn = (isOn: boolean, version: number) =>
    save.mutateAsync({ isOn, version }).then(
      (saved) => toastUndo(saved.isOn ? 'Customers will be asked.' : 'Customers are no longer asked.', saved),
      (failure: unknown) => toastFailure("Couldn't save the setting", failure),
    )
  return (
    <SectionCard title="Satisfaction">
      <QueryView query={query} failure="Couldn't load the setting" loading={<TextSkeleton lines={2} />}>
        {({ isOn, version }) => (
          <Switch
            label="Ask customers after closing"
            description={`An hour after a ticket was closed, the customer gets one email with a Good and a Bad button. The answer can be changed for ${RATING_LINK_DAYS} days. People who unsubscribed are not asked.`}
            checked={isOn}
            disabled={save.isPending}
            onChange={({ currentTarget }) => void turn(currentTarget.checked, version)}
          />
        )}
      </QueryView>
    </SectionCard>
  )
}
