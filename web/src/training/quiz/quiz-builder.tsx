import type { Question } from '@limber/contract/training/question.ts'
import { useState } from 'react'
import { moved, useReorder } from '../use-reorder.ts'
import { newQuestion, questionProblem } from './new-question.ts'
import { confirmDeletion, QuestionActions } from './question-actions.tsx'
import { QuestionForm } from './question-form.tsx'
import { QuestionList } from './question-list.tsx'
import styles from './quiz.module.css'

interface Props {
  questions: readonly Question[]
  isMixed?: boolean
  onChange: (questions: Question[]) => void
}

/** Adds questions to a quiz and changes them, one at a time; saving one begins the next. */
export function QuizBuilder({ questions, isMixed = false, onChange }: Props) {
  const [draft, setDraft] = useState<Question>(newQuestion)
  const reorder = useReorder(questions.length, (from, to) => onChange(moved(questions, from, to)))
  const isEditing = questions.some(({ id }) => id === draft.id)
  const save = () => {
    onChange(isEditing ? questions.map((one) => (one.id === draft.id ? draft : one)) : [...questions, draft])
    setDraft(newQuestion())
  }
  const remove = async (gone: Question) => {
    if (!(await confirmDeletion())) return
    onChange(questions.filter(({ id }) => id !== gone.id))
    if (gone.id === draft.id) setDraft(newQuestion())
  }
  return (
    <div className={styles.builder}>
      <QuestionList questions={questions} reorder={reorder} onEdit={setDraft} onDelete={(gone) => void remove(gone)} />
      <section className={styles.draft} aria-label={isEditing ? 'Edit question' : 'New question'}>
        <QuestionForm question={draft} isMixed={isMixed} onChange={setDraft} />
        <div className={styles.two}>
          <QuestionActions
            isEditing={isEditing}
            problem={questionProblem(draft, isMixed)}
            onSave={save}
            onCancel={isEditing ? () => setDraft(newQuestion()) : undefined}
          />
        </div>
      </section>
    </div>
  )
}
