import { Button } from '@mantine/core'
import { confirm } from '#ui/dialog/confirm.ts'
import styles from './quiz.module.css'

interface Props {
  isEditing: boolean
  isSending?: boolean
  /** Why it cannot be saved yet. */
  problem: string | undefined
  /** Something is written already: what is still missing is said. */
  isBegun: boolean
  onSave: () => void
  /** Without it there is nothing to leave: a new question is always open. */
  onCancel?: (() => void) | undefined
}

/** The buttons of a question that is written or changed. */
export function QuestionActions({ isEditing, isSending = false, problem, isBegun, onSave, onCancel }: Props) {
  return (
    <>
      {isBegun && problem && (
        <span className={styles.missing} role="status">
          {problem}
        </span>
      )}
      {onCancel && (
        <Button variant="default" disabled={isSending} onClick={onCancel}>
          {isEditing ? 'Cancel Edit' : 'Cancel'}
        </Button>
      )}
      <Button loading={isSending} disabled={problem !== undefined} title={problem} onClick={onSave}>
        {isEditing ? 'Update Question' : 'Add Question'}
      </Button>
    </>
  )
}

/** Asks before a question goes. */
export const confirmDeletion = () =>
  confirm({ title: 'Are you sure you want to delete this question?', action: 'Confirm', isDestructive: true })
