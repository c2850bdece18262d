import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { QuestionPreviews } from './question-previews.tsx'
import { QuizBuilder } from './quiz-builder.tsx'
import { QuizSettings } from './quiz-settings.tsx'

type Quiz = ContentOf<'quiz'>

interface Props {
  quiz: Quiz
  isMixed?: boolean
  /** Set if a link points to this quiz, and optionally to one of its questions. */
  sought?: { question: string } | undefined
  onChange: (quiz: Quiz) => void
}

/** The settings of a quiz, and its questions in a dialog that a click outside does not close. */
export function QuizFields({ quiz, isMixed = false, sought, onChange }: Props) {
  const [isOpen, setOpen] = useState(sought !== undefined)
  return (
    <>
      <QuizSettings quiz={quiz} onChange={(rules) => onChange({ ...quiz, ...rules })} />
      <QuestionPreviews questions={quiz.questions} />
      <div>
        <Button variant="default" leftSection={<Icon of={IconListCheck} />} onClick={() => setOpen(true)}>
          {isMixed ? 'Add Quiz Question' : 'Configure Quiz Questions'}
        </Button>
      </div>
      {isOpen && (
        <QuizBuilder
          isMixed={isMixed}
          first={sought?.question}
          questions={quiz.questions}
          onChange={(questions) => onChange({ ...quiz, questions })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
