import { Menu, type MenuItemProps } from '@mantine/core'

interface Props extends Omit<MenuItemProps, 'disabled'> {
  isDisabled?: boolean
  onClick: () => void
}

/** An item that may be out of use: an open menu begins at the first that is not, as on a disabled one no key is heard. */
export const MenuChoice = ({ isDisabled = false, ...item }: Props) => (
  <Menu.Item {...item} disabled={isDisabled} data-autofocus={!isDisabled || undefined} />
)
