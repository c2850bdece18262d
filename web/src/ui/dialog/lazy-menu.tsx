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

/** The button that the menu below stands at. */
export const MenuButtonContext = createContext<MenuButton>(<button type="button" />)

interface Props {
  button: MenuButton
  load: () => Promise<unknown>
  /** The menu around the same button, which opens as soon as it is drawn. */
  children: ReactNode
}

/** A button whose menu is fetched once somebody is near it: the bar stands on every screen, its menus are seldom open. */
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
