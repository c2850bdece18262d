import type { TeamCampaign } from '@limber/contract/growth/team/team.ts'
import { Id } from '@limber/contract/kit/values.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { ChoiceField } from '#ui/form/fields.tsx'
import { useField } from '#ui/form/form-state.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { MemberField } from './member-field.tsx'
import { campaignsQuery, useAssignCampaign } from './team.api.ts'
import styles from './team.module.css'
import { UnassignCampaign } from './unassign-campaign.tsx'

const Schema = z.object({ campaignId: Id, workerId: Id })

/** The current assignees of the selected campaign. */
function Members({ campaigns }: { campaigns: readonly TeamCampaign[] }) {
  const { value } = useField<number | ''>('campaignId', 'Campaign', '')
  const campaign = campaigns.find(({ id }) => id === value)
  if (!campaign || campaign.members.length === 0) return null
  return (
    <ul className={styles.held} aria-label="Currently assigned to">
      {campaign.members.map((member) => (
        <li key={member.id}>
          Assigned to {member.name} <UnassignCampaign campaign={campaign} member={member} />
        </li>
      ))}
    </ul>
  )
}

/** Assigns an active or paused campaign to a team member. */
export default function AssignCampaign({ onClose }: { onClose: () => void }) {
  const campaigns = useQuery(campaignsQuery).data?.campaigns ?? []
  const assign = useAssignCampaign()
  const mutation = {
    mutateAsync: (input: z.input<typeof Schema>) => assign.mutateAsync({ ...input, isAssigned: true }),
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Assign Campaign"
      submit="Assign"
      schema={Schema}
      mutation={mutation}
      onDone={(reply) => toastUndo('Campaign assigned.', reply)}
    >
      <ChoiceField
        label="Campaign"
        name="campaignId"
        placeholder="Select a campaign"
        isNumeric
        options={campaigns.map(({ id, name, members }) => ({
          value: String(id),
          label: members.length === 0 ? name : `${name} (${members.map((one) => one.name).join(', ')})`,
        }))}
      />
      <Members campaigns={campaigns} />
      <MemberField />
    </FormDialog>
  )
}
