import { Menu, type MenuItemProps } from '@mantine/core'

interface Props extends Omit<MenuItemProps, 'disabled'> {
  isDisabled?: boolean
  onClick: () => void
}

/** A menu item that can be disabled. Focus starts at the first enabled one, because a disabled one gets no key events. */
export const MenuChoice = ({ isDisabled = false, ...item }: Props) => (
  <Menu.Item {...item} disabled={isDisabled} data-autofocus={!isDisabled || undefined} />
)
