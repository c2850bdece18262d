import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog-frame.tsx'
import { useLayer } from './layers.ts'
import { useRestoreFocus } from './use-restore-focus.ts'

/** Fetched as soon as a screen that can open a dialog is drawn, so that no screen waits for it. */
const DialogFrame = lazy(() => import('./dialog-frame.tsx'))

/**
 * One layer of the dialog stack. It traps the focus and gives it back; it closes by its button, Escape and a click
 * outside (the last two can be switched off), and only when it is the top layer. On the phone it rises from below.
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
