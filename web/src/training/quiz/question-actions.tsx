import { Button } from '@mantine/core'
import { confirm } from '#ui/dialog/confirm.ts'
import styles from './quiz.module.css'

interface Props {
  isEditing: boolean
  isSending?: boolean
  /** Why it cannot be saved yet. */
  problem: string | undefined
  /** True after something was typed: then the problem is shown. */
  isBegun: boolean
  onSave: () => void
  /** Omitted where there is nothing to cancel because a new question is always open. */
  onCancel?: (() => void) | undefined
}

/** The buttons for adding or editing a question. */
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

/** Asks before deleting a question. */
export const confirmDeletion = () =>
  confirm({ title: 'Are you sure you want to delete this question?', action: 'Confirm', isDestructive: true })
