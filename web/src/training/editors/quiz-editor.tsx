import type { ContentOf } from '@limber/contract/training/content.ts'
import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { QuestionPreviews } from '../quiz/question-previews.tsx'
import { QuizBuilder } from '../quiz/quiz-builder.tsx'
import { QuizSettings } from '../quiz/quiz-settings.tsx'
import styles from './editors.module.css'

type Quiz = ContentOf<'quiz'>

/** A quiz lesson: its rules, and its questions in a dialog of their own. */
export default function QuizEditor({ content, onChange }: { content: Quiz; onChange: (content: Quiz) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.stack}>
      <QuizSettings quiz={content} onChange={(rules) => onChange({ ...content, ...rules })} />
      <QuestionPreviews questions={content.questions} />
      <div>
        <Button variant="default" leftSection={<Icon of={IconListCheck} />} onClick={() => setOpen(true)}>
          Configure Quiz Questions
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        closesOnOutside={false}
        title="Configure Quiz Questions"
        size={760}
        foot={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        <QuizBuilder questions={content.questions} onChange={(questions) => onChange({ ...content, questions })} />
      </Dialog>
    </div>
  )
}
