import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { ActionIcon } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { DragHandle, MoveAnnouncement } from '../courses/drag-handle.tsx'
import type { useReorder } from '../courses/use-reorder.ts'
import { questionPreview, questionTypeNames } from '../labels.ts'
import { AnswerMark, ScoringNote } from './answer-marks.tsx'
import styles from './quiz.module.css'

interface Props {
  questions: readonly Question[]
  /** Omitted: questions cannot be reordered. */
  reorder?: ReturnType<typeof useReorder>
  onEdit: (question: Question) => void
  onCopy: (question: Question) => void
  onDelete: (question: Question) => void
}

/** The questions of a quiz with their actions. */
export function QuestionList({ questions, reorder, onEdit, onCopy, onDelete }: Props) {
  if (questions.length === 0) return <p className={styles.none}>No questions added yet.</p>
  return (
    <>
      <ScoringNote questions={questions} />
      <ol
        className={styles.list}
        aria-label="Questions"
        {...(reorder && { ref: reorder.list as RefObject<HTMLOListElement | null> })}
      >
        {questions.map((question, place) => {
          const preview = questionPreview(question.trainingQuizQuestion)
          return (
            <li key={question.id} className={styles.item} {...reorder?.rowOf(place)}>
              {reorder && <DragHandle reorder={reorder} place={place} name={preview} />}
              <span className={styles.questionText}>
                {preview}
                <span className={styles.meta}>
                  {questionTypeNames[question.type]}, {pluralize(question.points, 'point')}
                </span>
                <AnswerMark question={question}>No correct answer</AnswerMark>
              </span>
              <ActionIcon size={28} aria-label={`Edit question ${place + 1}`} onClick={() => onEdit(question)}>
                <Icon of={IconPencil} />
              </ActionIcon>
              <ActionIcon
                size={28}
                aria-label={`Duplicate question ${place + 1}`}
                title="Duplicate"
                onClick={() => onCopy(question)}
              >
                <Icon of={IconCopy} />
              </ActionIcon>
              <ActionIcon size={28} aria-label={`Delete question ${place + 1}`} onClick={() => onDelete(question)}>
                <Icon of={IconTrash} />
              </ActionIcon>
            </li>
          )
        })}
      </ol>
      {reorder && <MoveAnnouncement reorder={reorder} />}
    </>
  )
}
