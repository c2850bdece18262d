import { contentOf, type Lesson } from '@limber/contract/training/lesson.ts'
import type { Question } from '@limber/contract/training/question.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { Banner } from '#ui/banner.tsx'
import { confirm } from '#ui/confirm.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { TextSkeleton } from '#ui/skeleton.tsx'
import { useAddQuestion, usePutLesson } from '../lesson.api.ts'
import { useNotices } from '../notices.tsx'
import { readContent } from '../read-content.ts'
import { lessonQuery } from '../training.api.ts'
import { plural, questionPreview, questionTypeNames } from '../words.ts'
import { newQuestion, questionProblem } from './new-question.ts'
import { QuestionForm } from './question-form.tsx'
import styles from './quiz.module.css'
import { type QuizRules, QuizSettings } from './quiz-settings.tsx'

/** The questions and rules of a quiz lesson, saved one by one. */
export default function ManageQuestions({ lessonId, onClose }: { lessonId: number; onClose: () => void }) {
  const query = useQuery(lessonQuery(lessonId))
  return (
    <Dialog isOpen onClose={onClose} title="Manage Quiz Questions" context={query.data?.title} size={760}>
      <QueryView query={query} loading={<TextSkeleton lines={6} />}>
        {(lesson) => <Questions lesson={lesson} />}
      </QueryView>
    </Dialog>
  )
}

function Questions({ lesson }: { lesson: Lesson }) {
  const quiz = readContent('quiz', contentOf(lesson).content_data)
  const [draft, setDraft] = useState<Question>()
  const [done, setDone] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const { succeed } = useNotices()
  const drop = usePutLesson('delete question')
  const settings = usePutLesson('save quiz settings')
  const { questions } = quiz

  const tell = (words: string) => {
    setProblem(undefined)
    setDone(words)
    succeed(words)
  }
  const attempt = async (work: Promise<unknown>, words: string) => {
    try {
      await work
      tell(words)
    } catch (error) {
      setDone(undefined)
      setProblem(wordsOf(error))
    }
  }
  const remove = async (gone: Question) => {
    const question = { title: 'Are you sure you want to delete this question?', action: 'Confirm', isDestructive: true }
    if (!(await confirm(question))) return
    const rest = questions.filter(({ id }) => id !== gone.id)
    await attempt(
      drop.mutateAsync({ ...lesson, content_data: { ...quiz, questions: rest } }),
      'Question deleted successfully',
    )
  }
  return (
    <>
      {done && (
        <Banner kind="green" onDismiss={() => setDone(undefined)}>
          {done}
        </Banner>
      )}
      {problem && (
        <Banner kind="red" onDismiss={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
      <SettingsForm
        quiz={quiz}
        isSaving={settings.isPending}
        onSave={(rules) =>
          void attempt(
            settings.mutateAsync({ ...lesson, content_data: { ...quiz, ...rules } }),
            'Quiz settings saved successfully',
          )
        }
      />
      {questions.length === 0 && <p className={styles.none}>No questions added yet.</p>}
      <ol className={styles.list} aria-label="Questions">
        {questions.map((question, place) => (
          <li key={question.id} className={styles.item}>
            <span className={styles.words}>
              {questionPreview(question.trainingQuizQuestion)}
              <span className={styles.meta}>
                {questionTypeNames[question.type]}, {plural(question.points, 'point')}
              </span>
            </span>
            <ActionIcon size={28} aria-label={`Edit question ${place + 1}`} onClick={() => setDraft(question)}>
              <Icon of={IconPencil} />
            </ActionIcon>
            <ActionIcon size={28} aria-label={`Delete question ${place + 1}`} onClick={() => void remove(question)}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <div>
        <Button leftSection={<Icon of={IconPlus} />} onClick={() => setDraft(newQuestion())}>
          Add Question
        </Button>
      </div>
      {draft && (
        <QuestionDialog
          key={draft.id}
          lesson={lesson}
          questions={questions}
          start={draft}
          onClose={() => setDraft(undefined)}
          onDone={tell}
        />
      )}
    </>
  )
}

interface SettingsProps {
  quiz: QuizRules
  isSaving: boolean
  onSave: (rules: QuizRules) => void
}

function SettingsForm({ quiz, isSaving, onSave }: SettingsProps) {
  const [rules, setRules] = useState<QuizRules>()
  return (
    <div className={styles.draft}>
      <QuizSettings quiz={rules ?? quiz} onChange={setRules} />
      <div>
        <Button variant="default" disabled={!rules} loading={isSaving} onClick={() => rules && onSave(rules)}>
          Save quiz settings
        </Button>
      </div>
    </div>
  )
}

interface QuestionProps {
  lesson: Lesson
  questions: readonly Question[]
  start: Question
  onClose: () => void
  onDone: (words: string) => void
}

/** One question, added to what others add meanwhile, or changed in the lesson as it was read. */
function QuestionDialog({ lesson, questions, start, onClose, onDone }: QuestionProps) {
  const [question, setQuestion] = useState(start)
  const [failure, setFailure] = useState<unknown>()
  const add = useAddQuestion(lesson.id)
  const update = usePutLesson('update question')
  const isEditing = questions.some(({ id }) => id === start.id)
  const isSending = add.isPending || update.isPending
  const save = async () => {
    setFailure(undefined)
    const changed = questions.map((one) => (one.id === question.id ? question : one))
    const quiz = readContent('quiz', contentOf(lesson).content_data)
    try {
      if (isEditing) await update.mutateAsync({ ...lesson, content_data: { ...quiz, questions: changed } })
      else await add.mutateAsync(question)
      onDone(isEditing ? 'Question updated successfully' : 'Question added successfully')
      onClose()
    } catch (error) {
      setFailure(error)
    }
  }
  const foot = (
    <>
      <Button variant="default" onClick={onClose} disabled={isSending}>
        {isEditing ? 'Cancel Edit' : 'Cancel'}
      </Button>
      <Button loading={isSending} disabled={questionProblem(question, false) !== undefined} onClick={() => void save()}>
        {isEditing ? 'Update Question' : 'Add Question'}
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isEditing ? 'Edit Quiz Question' : 'Add Quiz Question'}
      size={640}
      foot={foot}
    >
      <QuestionForm question={question} onChange={setQuestion} />
      {failure !== undefined && <Banner kind="red">{wordsOf(failure)}</Banner>}
    </Dialog>
  )
}
