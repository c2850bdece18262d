import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog-frame.tsx'
import { useLayer } from './layers.ts'
import { useRestoreFocus } from './use-restore-focus.ts'

/** Loads as soon as a screen that can open a dialog renders, so that opening it does not wait. */
const DialogFrame = lazy(() => import('./dialog-frame.tsx'))

/**
 * One layer of the dialog stack. It traps focus and restores it. Its button, Escape and an outside click close it, but
 * only when it is the top layer; the last two can be turned off. On phones it slides up from the bottom.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, closesOnEscape = true } = props
  useLayer(isOpen, closesOnEscape ? onClose : undefined)
  useRestoreFocus(isOpen)
  return (
    <Suspense fallback={null}>
      <DialogFrame {...props} />
    </Suspense>
  )
}
