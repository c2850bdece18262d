import { Button } from '@mantine/core'
import styles from './confirm.module.css'
import type { OpenQuestion } from './confirm.ts'
import { Dialog } from './dialog.tsx'

/** A confirmation: question, Cancel, and the action. */
export default function ConfirmDialog({ question }: { question: OpenQuestion }) {
  const foot = (
    <>
      <Button variant="default" onClick={() => question.answer(false)} data-autofocus>
        {question.cancel ?? 'Cancel'}
      </Button>
      <Button color={question.isDestructive ? 'red' : 'teal'} onClick={() => question.answer(true)}>
        {question.action}
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen={question.isOpen}
      onClose={() => question.answer(false)}
      title={question.title}
      role="alertdialog"
      size={400}
      hasCloseButton={false}
      foot={foot}
    >
      {question.body && <div className={styles.body}>{question.body}</div>}
    </Dialog>
  )
}
