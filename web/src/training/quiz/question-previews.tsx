import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { questionPreview, questionTypeNames } from '../labels.ts'
import { AnswerMark, ScoringNote } from './answer-marks.tsx'
import styles from './quiz.module.css'

/** The questions of a quiz, shortened. */
export function QuestionPreviews({ questions }: { questions: readonly Question[] }) {
  if (questions.length === 0) return <p className={styles.none}>No questions added yet.</p>
  return (
    <>
      <ScoringNote questions={questions} />
      <ol className={styles.previews} aria-label="Questions">
        {questions.map((question) => (
          <li key={question.id}>
            {questionPreview(question.trainingQuizQuestion)}
            <span className={styles.meta}>
              {questionTypeNames[question.type]}, {pluralize(question.points, 'point')}
            </span>
            <AnswerMark question={question}>No correct answer</AnswerMark>
          </li>
        ))}
      </ol>
    </>
  )
}
