import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { toastFailure } from './toast-store.ts'

export type MenuButton = ReactElement<ComponentProps<'button'>>

interface Props {
  button: MenuButton
  load: () => Promise<unknown>
  /** The menu around the same button, which opens as soon as it is drawn. */
  children: ReactNode
}

/** A button whose menu is fetched once somebody is near it: the bar stands on every screen, its menus are seldom open. */
export function MenuLater({ button, load, children }: Props) {
  const [isWanted, setWanted] = useState(false)
  const near = () => void load().catch(() => {})
  const open = () =>
    load().then(
      () => setWanted(true),
      (error) => toastFailure('The menu could not be fetched', error),
    )
  const waiting = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: near,
    onFocus: near,
    onClick: () => void open(),
  })
  return isWanted ? <Suspense fallback={waiting}>{children}</Suspense> : waiting
}
