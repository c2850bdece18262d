import type { Question } from '@limber/contract/training/lessons/question.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { onSendKey } from '#ui/keyboard/send-key.ts'
import { moveItem, useReorder } from '../courses/use-reorder.ts'
import { copyOf, discardQuestion, hasChanges, newQuestion, questionProblem, withoutBlanks } from './new-question.ts'
import { confirmDeletion, QuestionActions } from './question-actions.tsx'
import { QuestionForm } from './question-form.tsx'
import { QuestionList } from './question-list.tsx'
import styles from './quiz.module.css'

interface Props {
  questions: readonly Question[]
  isMixed?: boolean
  /** The id of the question to open first; empty for a new one. */
  first?: string | undefined
  onChange: (questions: Question[]) => void
  onClose: () => void
}

/**
 * Adds and edits the questions of a quiz, one at a time; saving one starts the next. A click outside does not close it,
 * and unfinished input is not discarded without a confirmation.
 */
export function QuizBuilder({ questions, isMixed = false, first, onChange, onClose }: Props) {
  const [draft, setDraft] = useState<Question>(() => questions.find(({ id }) => id === first) ?? newQuestion())
  const reorder = useReorder(questions.length, (from, to) => onChange(moveItem(questions, from, to)))
  const before = questions.find(({ id }) => id === draft.id)
  const mayLeave = async () => !hasChanges(draft, before) || confirm(discardQuestion)
  const problem = questionProblem(draft, isMixed)
  const save = () => {
    const kept = withoutBlanks(draft)
    onChange(before ? questions.map((one) => (one.id === kept.id ? kept : one)) : [...questions, kept])
    setDraft(newQuestion())
  }
  const edit = async (question: Question) => {
    if (question.id !== draft.id && (await mayLeave())) setDraft(question)
  }
  const copy = async (question: Question) => {
    if (await mayLeave()) setDraft(copyOf(question))
  }
  const remove = async (gone: Question) => {
    if (!(await confirmDeletion())) return
    onChange(questions.filter(({ id }) => id !== gone.id))
    if (gone.id === draft.id) setDraft(newQuestion())
  }
  const close = async () => {
    if (await mayLeave()) onClose()
  }
  const isWritten = hasChanges(draft, before)
  const foot = (
    <>
      <QuestionActions
        isEditing={before !== undefined}
        problem={problem}
        isBegun={isWritten}
        onSave={save}
        onCancel={before ? () => setDraft(newQuestion()) : undefined}
      />
      <Button variant={isWritten ? 'default' : 'filled'} onClick={() => void close()}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      closesOnOutside={false}
      title={isMixed ? 'Add Quiz Question' : 'Configure Quiz Questions'}
      size={760}
      foot={foot}
    >
      <div className={styles.builder}>
        <QuestionList
          questions={questions}
          reorder={reorder}
          onEdit={(question) => void edit(question)}
          onCopy={(question) => void copy(question)}
          onDelete={(gone) => void remove(gone)}
        />
        <section
          className={styles.draft}
          aria-label={before ? 'Edit question' : 'New question'}
          onKeyDown={onSendKey(problem ? undefined : save)}
        >
          <QuestionForm question={draft} isMixed={isMixed} onChange={setDraft} />
        </section>
      </div>
    </Dialog>
  )
}
