import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useAssignCampaign } from './team.api.ts'

interface Named {
  id: number
  name: string
}

/** Takes a campaign back from a member; it can be given again at once. */
export function TakeBack({ campaign, member }: { campaign: Named; member: Named }) {
  const assign = useAssignCampaign()
  // What is taken back leaves the list, and this button with it: the promise outlives both.
  const put = async (isAssigned: boolean) => {
    try {
      return await assign.mutateAsync({ campaignId: campaign.id, workerId: member.id, isAssigned })
    } catch (error) {
      toastFailure(isAssigned ? 'The campaign was not assigned' : 'The campaign was not taken back', error)
      return undefined
    }
  }
  const takeBack = async () => {
    if (await put(false))
      toast(`${campaign.name} is no longer with ${member.name}.`, {
        action: { label: 'Undo', run: () => void put(true) },
      })
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={`Take ${campaign.name} back from ${member.name}`}
      disabled={assign.isPending}
      onClick={() => void takeBack()}
    >
      <Icon of={IconX} size={14} />
    </ActionIcon>
  )
}
