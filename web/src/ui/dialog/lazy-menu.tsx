import {
  type ComponentProps,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import { toastFailure } from '../feedback/toast-store.ts'

type MenuButton = ReactElement<ComponentProps<'button'>>

/** The button that opens the menu. */
export const MenuButtonContext = createContext<MenuButton>(<button type="button" />)

interface Props {
  button: MenuButton
  load: () => Promise<unknown>
  /** The menu around the same button; it opens as soon as it renders. */
  children: ReactNode
}

/** A button whose menu loads on hover or focus. It is on every screen, but the menu is rarely opened. */
export function LazyMenu({ button, load, children }: Props) {
  const [isWanted, setWanted] = useState(false)
  const near = () => void load().catch(() => {})
  const open = () =>
    load().then(
      () => setWanted(true),
      (error) => toastFailure("Couldn't load the menu", error),
    )
  const waiting = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: near,
    onFocus: near,
    onClick: () => void open(),
  })
  if (!isWanted) return waiting
  return (
    <MenuButtonContext value={button}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </MenuButtonContext>
  )
}
