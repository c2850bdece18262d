import { useEffect, useEffectEvent } from 'react'

interface Layer {
  close: (() => void) | undefined
}

const stack: Layer[] = []

// Menus and open selects handle Escape themselves and mark their focused element.
const isHandledElsewhere = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.isComposing ||
  (event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]') !== null)

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || isHandledElsewhere(event)) return
  const top = stack.at(-1)
  if (!top) return
  event.preventDefault()
  top.close?.()
}

/**
 * Puts a layer (dialog, palette, drawer) on the one stack while it is open. Escape reaches only the top one; a layer
 * without `close` swallows it.
 */
export function useLayer(isOpen: boolean, close: (() => void) | undefined): void {
  const act = useEffectEvent(() => close?.())
  const mayClose = close !== undefined
  useEffect(() => {
    if (!isOpen) return
    const layer: Layer = { close: mayClose ? () => act() : undefined }
    if (stack.length === 0) window.addEventListener('keydown', onKeyDown)
    stack.push(layer)
    return () => {
      stack.splice(stack.indexOf(layer), 1)
      if (stack.length === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [isOpen, mayClose])
}

/** True while a layer is open. Page shortcuts are ignored then. */
export const isLayerOpen = (): boolean => stack.length > 0
