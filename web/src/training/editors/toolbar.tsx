import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './editors.module.css'

interface ToolProps {
  name: string
  icon: Parameters<typeof Icon>[0]['of']
  /** For toggles: whether it is on. */
  isOn?: boolean
  isDisabled?: boolean
  onRun: () => void
  ref?: Ref<HTMLButtonElement>
}

/** A toolbar button; the cursor stays in the text. */
export function Tool({ name, icon, isOn, isDisabled = false, onRun, ...rest }: ToolProps) {
  return (
    <Tooltip label={name} withinPortal={false}>
      <ActionIcon
        {...rest}
        size={28}
        variant="subtle"
        color="gray"
        aria-label={name}
        {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
        disabled={isDisabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onRun}
      >
        <Icon of={icon} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A toolbar, with a slot at its end. */
export function Toolbar({ children, end }: { children: ReactNode; end: ReactNode }) {
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      {children}
      <span className={styles.toolbarEnd}>{end}</span>
    </div>
  )
}
