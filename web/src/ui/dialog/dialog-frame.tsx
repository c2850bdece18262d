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
  /** Stays in sight while the body scrolls; buttons stand at the right, Cancel first. */
  foot?: ReactNode
  size?: 400 | 480 | 520 | 640 | 760 | 1080
  closesOnEscape?: boolean
  closesOnOutside?: boolean
  hasCloseButton?: boolean
  /** Stands at the right edge over the whole height, for the detail of a row; the list beside it stays in sight. */
  isSide?: boolean
  /** The focus begins at the close button, so that a key too many does not press what stands in it. */
  focusesClose?: boolean
  role?: 'dialog' | 'alertdialog'
}

/** What `Dialog` draws. */
export default function DialogFrame(props: DialogProps) {
  const { isOpen, onClose, title, context, children, foot, size = 480, role = 'dialog' } = props
  const { closesOnOutside = true, hasCloseButton = true, isSide = false, focusesClose: beginsAtClose = false } = props
  // Mantine writes `dialog` whatever it is given.
  const setRole = useCallback((content: HTMLElement | null) => content?.setAttribute('role', role), [role])
  // Drawn closed at first: only what opens afterwards comes in by its transition.
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
      <Modal.Content ref={setRole} radius="lg" shadow="xl" {...(isSide && { 'data-side-dialog': size })}>
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
        {/* Last, so that the focus begins in the dialog's own fields. */}
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
