import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './editors.module.css'

interface ToolProps {
  name: string
  icon: Parameters<typeof Icon>[0]['of']
  /** Of what is on or off. */
  isOn?: boolean
  isDisabled?: boolean
  onRun: () => void
  ref?: Ref<HTMLButtonElement>
}

/** One thing that can be done to the text; the cursor stays in it. */
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

/** The tools above a text, and at their end what belongs to all of them. */
export function Toolbar({ children, end }: { children: ReactNode; end: ReactNode }) {
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      {children}
      <span className={styles.toolbarEnd}>{end}</span>
    </div>
  )
}
