import { contentOf, type Lesson } from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { onSendKey } from '#ui/keyboard/send-key.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { DisputedQuestion, useAddQuestion, useSaveQuiz } from '../lessons/lesson.api.ts'
import { readContent } from '../lessons/read-content.ts'
import { SuccessBanner, useNotices } from '../notices.tsx'
import { lessonQuery } from '../training.api.ts'
import { copyOf, discardQuestion, hasChanges, newQuestion, questionProblem, withoutBlanks } from './new-question.ts'
import { confirmDeletion, QuestionActions } from './question-actions.tsx'
import { QuestionForm } from './question-form.tsx'
import { QuestionList } from './question-list.tsx'
import styles from './quiz.module.css'
import { type QuizRules, QuizSettings } from './quiz-settings.tsx'

const quizIn = (lesson: Lesson) => readContent('quiz', contentOf(lesson).content_data)

interface Props {
  lessonId: number
  /** The id of the question to open first. */
  first: string
  onClose: () => void
}

/** The questions and settings of a quiz lesson, saved one by one. */
export default function ManageQuestions({ lessonId, first, onClose }: Props) {
  const query = useQuery(lessonQuery(lessonId))
  return (
    <Dialog isOpen onClose={onClose} title="Manage Quiz Questions" context={query.data?.title} size={760}>
      <QueryView query={query} loading={<TextSkeleton lines={6} />}>
        {(lesson) => <Questions lesson={lesson} first={first} />}
      </QueryView>
    </Dialog>
  )
}

function Questions({ lesson, first }: { lesson: Lesson; first: string }) {
  const quiz = quizIn(lesson)
  const [draft, setDraft] = useState<Question | undefined>(() => quiz.questions.find(({ id }) => id === first))
  const [done, setDone] = useState<{ text: string; reply: unknown }>()
  const [problem, setProblem] = useState<string>()
  const { succeed } = useNotices()
  const drop = useSaveQuiz('delete question')
  const { questions } = quiz

  const showSuccess = (text: string, reply: unknown) => {
    setProblem(undefined)
    setDone({ text, reply })
    succeed(text, reply)
  }
  const attempt = async (work: Promise<unknown>, message: string) => {
    try {
      showSuccess(message, await work)
    } catch (error) {
      setDone(undefined)
      setProblem(messageOf(error))
    }
  }
  const remove = async (gone: Question) => {
    if (!(await confirmDeletion())) return
    const rest = questions.filter(({ id }) => id !== gone.id)
    await attempt(
      drop.mutateAsync({ base: lesson, quiz: { ...quiz, questions: rest } }),
      'Question deleted successfully',
    )
  }
  return (
    <>
      {done && <SuccessBanner {...done} onDismiss={() => setDone(undefined)} />}
      {problem && (
        <Banner kind="red" onDismiss={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
      <SettingsForm lesson={lesson} attempt={attempt} />
      <QuestionList
        questions={questions}
        onEdit={setDraft}
        onCopy={(question) => setDraft(copyOf(question))}
        onDelete={(gone) => void remove(gone)}
      />
      <div>
        <Button leftSection={<Icon of={IconPlus} />} onClick={() => setDraft(newQuestion())}>
          Add Question
        </Button>
      </div>
      {draft && (
        <QuestionDialog
          key={draft.id}
          lesson={lesson}
          start={draft}
          onClose={() => setDraft(undefined)}
          onDone={showSuccess}
        />
      )}
    </>
  )
}

interface SettingsProps {
  lesson: Lesson
  attempt: (work: Promise<unknown>, message: string) => Promise<void>
}

function SettingsForm({ lesson, attempt }: SettingsProps) {
  // The lesson as it was when the worker started to edit the settings.
  const [edited, setEdited] = useState<{ base: Lesson; rules: QuizRules }>()
  const saveQuiz = useSaveQuiz('save quiz settings')
  const save = async () => {
    if (!edited) return
    const { base, rules } = edited
    const work = saveQuiz.mutateAsync({ base, quiz: { ...quizIn(base), ...rules } })
    await attempt(
      work.then((reply) => {
        setEdited(undefined)
        return reply
      }),
      'Quiz settings saved successfully',
    )
  }
  return (
    <div className={styles.draft}>
      <QuizSettings
        quiz={edited?.rules ?? quizIn(lesson)}
        onChange={(rules) => setEdited({ base: edited?.base ?? lesson, rules })}
      />
      <div>
        <Button variant="default" disabled={!edited} loading={saveQuiz.isPending} onClick={() => void save()}>
          Save quiz settings
        </Button>
      </div>
    </div>
  )
}

interface QuestionProps {
  lesson: Lesson
  start: Question
  onClose: () => void
  onDone: (text: string, reply: unknown) => void
}

/** Adds a question, or changes one in the lesson as it was loaded. Concurrent additions do not conflict. */
function QuestionDialog({ lesson, start, onClose, onDone }: QuestionProps) {
  const [question, setQuestion] = useState(start)
  const [failure, setFailure] = useState<unknown>()
  const add = useAddQuestion(lesson.id)
  const update = useSaveQuiz('update question')
  // Keep the lesson the dialog started from: a reload may replace the prop.
  const [base, setBase] = useState(lesson)
  const isEditing = quizIn(base).questions.some(({ id }) => id === start.id)
  const isSending = add.isPending || update.isPending
  const save = async () => {
    setFailure(undefined)
    const quiz = quizIn(base)
    const kept = withoutBlanks(question)
    const changed = quiz.questions.map((one) => (one.id === kept.id ? kept : one))
    try {
      if (isEditing)
        onDone(
          'Question updated successfully',
          await update.mutateAsync({ base, quiz: { ...quiz, questions: changed } }),
        )
      else onDone('Question added successfully', await add.mutateAsync(kept))
      onClose()
    } catch (error) {
      // The worker has seen the other version, so saving again replaces it.
      if (error instanceof Error && error.cause instanceof DisputedQuestion) setBase(error.cause.lesson)
      setFailure(error)
    }
  }
  const problem = questionProblem(question, false)
  const isWritten = hasChanges(question, isEditing ? start : undefined)
  const close = async () => {
    if (!isSending && (!isWritten || (await confirm(discardQuestion)))) onClose()
  }
  const foot = (
    <QuestionActions
      isEditing={isEditing}
      isSending={isSending}
      problem={problem}
      isBegun={isWritten}
      onSave={() => void save()}
      onCancel={() => void close()}
    />
  )
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title={isEditing ? 'Edit Quiz Question' : 'Add Quiz Question'}
      size={640}
      foot={foot}
    >
      <section
        aria-label={isEditing ? 'Edit question' : 'New question'}
        onKeyDown={onSendKey(problem || isSending ? undefined : save)}
      >
        <QuestionForm question={question} onChange={setQuestion} />
      </section>
      {failure !== undefined && <Banner kind="red">{messageOf(failure)}</Banner>}
    </Dialog>
  )
}
