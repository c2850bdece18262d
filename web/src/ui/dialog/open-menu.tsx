import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { MenuButtonContext } from './lazy-menu.tsx'

interface Props extends Pick<MenuProps, 'width' | 'position' | 'withinPortal'> {
  className?: string
  children: ReactNode
}

/** A menu that opens when it mounts, because its button was pressed before it was loaded. */
export function OpenMenu({ className, children, ...menu }: Props) {
  const button = use(MenuButtonContext)
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  // This button replaces the pressed one, so it takes the focus and gets it back when the menu closes.
  useEffect(() => {
    target.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Menu withinPortal={false} {...menu} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown className={className ?? ''}>{children}</Menu.Dropdown>
    </Menu>
  )
}
