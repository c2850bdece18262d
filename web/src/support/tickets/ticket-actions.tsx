import { IconBulb, IconGitMerge, IconUserCheck } from '@tabler/icons-react'
import { MenuChoice } from '#ui/dialog/menu-choice.tsx'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'

interface Props {
  canTake: boolean
  canMerge: boolean
  maySuggest: boolean
  onTake: () => void
  onLayer: (layer: 'merge' | 'suggest') => void
}

export default function TicketActions({ canTake, canMerge, maySuggest, onTake, onLayer }: Props) {
  return (
    <OpenMenu position="bottom-end">
      <MenuChoice leftSection={<Icon of={IconUserCheck} />} isDisabled={!canTake} onClick={onTake}>
        Assign to me
      </MenuChoice>
      <MenuChoice leftSection={<Icon of={IconGitMerge} />} isDisabled={!canMerge} onClick={() => onLayer('merge')}>
        Merge into another ticket
      </MenuChoice>
      {maySuggest && (
        <MenuChoice leftSection={<Icon of={IconBulb} />} onClick={() => onLayer('suggest')}>
          Suggest for knowledge base
        </MenuChoice>
      )}
    </OpenMenu>
  )
}
