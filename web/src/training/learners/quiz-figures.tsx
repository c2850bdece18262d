import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { QuizFigures } from '@limber/contract/training/learners/figures.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { questionPreview } from '../labels.ts'
import { percent, seconds } from './figure-text.ts'
import styles from './figures.module.css'

/** Each quiz with its questions, hardest first. */
export function QuizFiguresList({ quizzes }: { quizzes: readonly QuizFigures[] }) {
  if (quizzes.length === 0) return null
  return (
    <SectionCard title="Quizzes" count={quizzes.length} isFlush hasLine>
      {quizzes.map((quiz) => (
        <details key={`${quiz.lesson_id}-${quiz.component}`} className={styles.quiz}>
          <summary>
            <span className={styles.name}>{quiz.title}</span>
            <span>{`${pluralize(quiz.attempts, 'attempt')} by ${pluralize(quiz.learners, 'learner')}`}</span>
            <span>{`${percent(quiz.passRate)} of learners passed`}</span>
            <span>{`median ${seconds(quiz.medianSeconds)}`}</span>
          </summary>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col">Answered</th>
                <th scope="col">Correct</th>
              </tr>
            </thead>
            <tbody>
              {quiz.questions
                .toSorted((a, b) => (a.share ?? 1) - (b.share ?? 1))
                .map((question) => (
                  <tr key={question.question_id}>
                    <td title={question.text}>{questionPreview(question.text)}</td>
                    <td>{question.answered}</td>
                    <td>{percent(question.share)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      ))}
    </SectionCard>
  )
}
