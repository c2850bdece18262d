import { CloseButton, Modal } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { scrollByKeys } from '../keyboard/scroll-by-keys.ts'
import { cx } from '../layout/class-names.ts'
import styles from './dialog.module.css'

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** One muted line below the title. */
  context?: ReactNode
  children?: ReactNode
  /** Stays visible while the body scrolls. Buttons are right-aligned, Cancel first. */
  foot?: ReactNode
  size?: 400 | 480 | 520 | 640 | 760 | 880 | 1080
  closesOnEscape?: boolean
  closesOnOutside?: boolean
  hasCloseButton?: boolean
  /** A panel at the right edge for the detail of a row; the list stays visible. */
  isSide?: boolean
  /** Focuses the close button first, so that a stray Enter does not press an action. */
  focusesClose?: boolean
  role?: 'dialog' | 'alertdialog'
}

/** The content of `Dialog`, loaded lazily. */
export default function DialogFrame(props: DialogProps) {
  const { isOpen, onClose, title, context, children, foot, size = 480, role = 'dialog' } = props
  const { closesOnOutside = true, hasCloseButton = true, isSide = false, focusesClose: beginsAtClose = false } = props
  // Mantine always sets `dialog`.
  const setRole = useCallback((content: HTMLElement | null) => content?.setAttribute('role', role), [role])
  // Render closed first, because Mantine animates only a change from closed to open.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return (
    <Modal.Root
      opened={isOpen && isDrawn}
      onClose={onClose}
      size={size}
      centered={!isSide}
      closeOnEscape={false}
      closeOnClickOutside={closesOnOutside}
      transitionProps={{ transition: isSide ? 'slide-left' : 'pop', duration: 200 }}
      classNames={{ inner: cx(styles.inner, isSide && styles.side), content: styles.content ?? '' }}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content
        ref={setRole}
        radius="lg"
        shadow="xl"
        {...(isSide ? { 'data-side-dialog': size } : { 'data-dialog': true })}
      >
        <div className={styles.head}>
          <Modal.Title className={styles.title}>{title}</Modal.Title>
          {context && <p className={styles.context}>{context}</p>}
        </div>
        {children && (
          <Modal.Body ref={scrollByKeys} className={styles.body}>
            {children}
          </Modal.Body>
        )}
        {foot && <div className={styles.foot}>{foot}</div>}
        {/* Last in the DOM, so that focus starts in the dialog's fields. */}
        {hasCloseButton && (
          <CloseButton
            className={styles.close ?? ''}
            aria-label="Close"
            size={32}
            iconSize={18}
            onClick={onClose}
            {...(beginsAtClose && { 'data-autofocus': true })}
          />
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
