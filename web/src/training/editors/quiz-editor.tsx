import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { QuizFields } from '../quiz/quiz-fields.tsx'
import styles from './editors.module.css'

type Quiz = ContentOf<'quiz'>

/** The editor of a quiz lesson. */
export default function QuizEditor({ content, onChange }: { content: Quiz; onChange: (content: Quiz) => void }) {
  return (
    <div className={styles.stack}>
      <QuizFields quiz={content} onChange={onChange} />
    </div>
  )
}
