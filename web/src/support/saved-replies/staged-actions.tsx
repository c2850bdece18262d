import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { DraftMacro } from '#support/tickets/thread/ticket-draft.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { stepIcons } from './macro-labels.ts'
import styles from './saved-replies.module.css'

interface Props {
  steps: DraftMacro['steps']
  isDisabled: boolean
  onDrop: () => void
}

/** What happens to the ticket when the response in the box is sent. */
export default function StagedActions({ steps, isDisabled, onDrop }: Props) {
  return (
    <div className={styles.staged}>
      <ul aria-label="Runs when you send">
        <li aria-hidden="true">Runs when you send:</li>
        {steps.map(({ place, type, text }) => (
          <li key={place}>
            <Icon of={stepIcons[type]} size={14} /> {text}
          </li>
        ))}
      </ul>
      <ActionIcon
        size={24}
        variant="subtle"
        aria-label="Send without these actions"
        title="Send without these actions"
        disabled={isDisabled}
        onClick={onDrop}
      >
        <Icon of={IconX} size={14} />
      </ActionIcon>
    </div>
  )
}
