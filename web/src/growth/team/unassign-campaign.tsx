import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useAssignCampaign } from './team.api.ts'

interface Named {
  id: number
  name: string
}

/** Unassigns a campaign from a member, with undo. */
export function UnassignCampaign({ campaign, member }: { campaign: Named; member: Named }) {
  const assign = useAssignCampaign()
  // The row and this button disappear after the change, so the toast must outlive them.
  const unassign = () =>
    assign.mutateAsync({ campaignId: campaign.id, workerId: member.id, isAssigned: false }).then(
      (reply) => toastUndo(`${campaign.name} unassigned from ${member.name}.`, reply),
      (error: unknown) => toastFailure("Couldn't unassign the campaign", error),
    )
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={`Unassign ${campaign.name} from ${member.name}`}
      disabled={assign.isPending}
      onClick={() => void unassign()}
    >
      <Icon of={IconX} size={14} />
    </ActionIcon>
  )
}
