import { Menu } from '@mantine/core'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'

export interface ActionItem {
  label: string
  isRed?: boolean
  isDisabled?: boolean
  onChoose: () => void
}

export default function ActionItems({ items }: { items: readonly ActionItem[] }) {
  return (
    <OpenMenu position="bottom-end">
      {items.map(({ label, isRed, isDisabled, onChoose }) => (
        <Menu.Item key={label} {...(isRed && { color: 'red' })} disabled={isDisabled ?? false} onClick={onChoose}>
          {label}
        </Menu.Item>
      ))}
    </OpenMenu>
  )
}
