import { pickFields } from '@limber/contract/kit/fields.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import type { ContentData, ContentType, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import {
  createLesson,
  DEFAULT_ATTEMPTS,
  type Lesson,
  type LessonRow,
  lessonFields,
  updateLesson,
} from '@limber/contract/training/lessons/lesson.ts'
import { MAX_KEY } from '@limber/contract/training/values.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { z } from 'zod'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { FormBody } from '#ui/form/form.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { type FormOptions, useForm } from '#ui/form/use-form.ts'
import { isSame, mergeMine } from '#ui/form/use-versioned-save.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { cutAtDifference, formatValue, omitUndefined, textsIn } from '../courses/conflict-text.ts'
import { EditorContext } from '../editors/editor-context.ts'
import { typeNames, UNTITLED_LESSON } from '../labels.ts'
import { useNotices } from '../notices.tsx'
import { mergeQuiz } from '../quiz/merge-quiz.ts'
import { lessonQuery } from '../training.api.ts'
import styles from '../training.module.css'
import { type LessonChange, type NewLesson, useCreateLesson, useUpdateLesson } from './lesson.api.ts'
import { LessonContent } from './lesson-content.tsx'
import { LessonFields } from './lesson-fields.tsx'
import { readContent } from './read-content.ts'

interface Props {
  course: Course
  modules: readonly Module[]
  lessons: readonly LessonRow[]
  /** Undefined: creates a new lesson. */
  lessonId: number | undefined
  startModule: string
  /** The lesson to copy into a new one. */
  copied?: number | undefined
  /** The quiz of a mixed lesson that a link points to. */
  sought?: { part: number; question: string } | undefined
  onClose: () => void
}

/** Creates or edits a lesson and its content. */
export default function LessonDialog(props: Props) {
  const from = props.lessonId ?? props.copied
  return from === undefined ? <NewLessonForm {...props} /> : <OpenLesson {...props} from={from} />
}

function OpenLesson(props: Props & { from: number }) {
  const query = useQuery(lessonQuery(props.from))
  const isCopy = props.lessonId === undefined
  if (query.data && isCopy) return <NewLessonForm {...props} from={query.data} />
  if (query.data) return <ChangeLessonForm key={query.data.id} {...props} lesson={query.data} />
  return (
    <Dialog isOpen onClose={props.onClose} title={isCopy ? 'Create Lesson' : 'Edit Lesson'} size={1080}>
      <QueryView query={query} loading={<TextSkeleton lines={8} />}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}

/** The initial values of a copied lesson: everything, with a new title and key. */
function copyOf(lesson: Lesson, lessons: readonly LessonRow[]): Partial<NewLesson> {
  const taken = new Set(lessons.map(({ lesson_key }) => lesson_key))
  const keys = ['_copy', ...Array.from(lessons, (_, place) => `_copy_${place + 2}`)].map(
    (end) => lesson.lesson_key.slice(0, MAX_KEY - end.length) + end,
  )
  const lesson_key = keys.find((key) => !taken.has(key)) ?? ''
  return { ...fieldsOf(lesson), lesson_key, title: `${lesson.title.slice(0, 195)} Copy` } as Partial<NewLesson>
}

function NewLessonForm({ course, modules, lessons, startModule, from, onClose }: Props & { from?: Lesson }) {
  const create = useCreateLesson()
  const { succeed } = useNotices()
  const { course_key } = course
  const initial: Partial<NewLesson> = {
    ...(startModule || modules.length === 1 ? { module_key: startModule || (modules[0]?.module_key ?? '') } : {}),
    content_type: 'text',
    content_data: defaultContent('text'),
    is_required: true,
    is_active: true,
    max_attempts: DEFAULT_ATTEMPTS,
    prerequisites: [],
    references: [],
    kept_components: [],
    ...(from && copyOf(from, lessons)),
  }
  return (
    <LessonForm
      title="Create Lesson"
      submit="Create Lesson"
      context={course.title}
      onClose={onClose}
      options={{ schema: createLesson.body, mutation: create, initial, fixed: { course_key } }}
      onDone={(reply) => succeed('Lesson created successfully', reply)}
      {...{ course, modules, lessons }}
      lesson={undefined}
    />
  )
}

type Fields = Omit<LessonChange, 'lesson_id' | 'version'>

const fieldsOf = (lesson: Lesson): Fields => {
  const { lesson_key, kept_components } = lesson
  return { ...pickFields(lessonFields, lesson), lesson_key, kept_components } as Fields
}

/** Merges two versions of a lesson; a quiz question by question. Content and type always stay together. */
function mergeLessons(base: Fields, theirs: Fields, mine: Fields): Fields {
  const merged = mergeMine(base, theirs, mine)
  const versions = [base, theirs, mine]
  if (versions.every(({ content_type }) => content_type === 'quiz')) {
    const [before, other, own] = versions.map(({ content_data }) => readContent('quiz', content_data))
    if (before && other && own) return { ...merged, content_data: mergeQuiz(before, other, own).quiz } as Fields
  }
  const parts = ['content_type', 'content_data', 'kept_components'] as const
  const isMine = parts.some((part) => !isSame(mine[part], base[part]))
  const { content_type, content_data, kept_components } = isMine ? mine : theirs
  return { ...merged, content_type, content_data, kept_components } as Fields
}

function ChangeLessonForm({ course, modules, lessons, lesson, sought, onClose }: Props & { lesson: Lesson }) {
  const update = useUpdateLesson()
  const { succeed } = useNotices()
  // Keep the record the form started from: a reload may replace the prop.
  const [base] = useState(lesson)
  const before = textsIn(base.content_data)
  const namesOf = (ids: readonly number[] | undefined) =>
    formatValue(lessons.filter(({ id }) => ids?.includes(id)).map(({ title }) => title || UNTITLED_LESSON))
  const { mutateAsync, conflict } = useConflict<typeof updateLesson, Fields>({
    base,
    fieldsOf,
    merge: mergeLessons,
    title: 'Someone else changed this lesson',
    formatters: fieldFormatters(lessonFields, {
      blank: '--',
      shown: {
        module_key: (key: string) => modules.find(({ module_key }) => module_key === key)?.title ?? key,
        content_type: (type: ContentType) => typeNames[type],
        content_data: (content?: ContentData) => cutAtDifference(textsIn(content), before),
        prerequisites: namesOf,
        references: namesOf,
      },
    }),
    send: async (fields) => {
      const cleared = { duration_minutes: null, passing_score: null }
      return (await update.mutateAsync({ ...cleared, ...omitUndefined(fields), lesson_id: base.id } as LessonChange))
        .data
    },
    onSaved: (saved) => {
      succeed('Lesson updated successfully', saved)
      onClose()
    },
    onTaken: onClose,
  })
  const mutation = {
    // An emptied field goes back to its default; omitted, it would not change.
    mutateAsync: ({ lesson_id: _, ...typed }: LessonChange) =>
      mutateAsync({ max_attempts: DEFAULT_ATTEMPTS, ...typed } as Fields),
  }
  return (
    <>
      <LessonForm
        title="Edit Lesson"
        submit="Update Lesson"
        context={course.title}
        onClose={onClose}
        options={{ schema: updateLesson.body, mutation, initial: fieldsOf(base), fixed: { lesson_id: base.id } }}
        onDone={() => undefined}
        {...{ course, modules, lessons, lesson, sought }}
      />
      {conflict}
    </>
  )
}

interface FormProps<S extends z.ZodType> extends Pick<Props, 'course' | 'modules' | 'lessons' | 'sought' | 'onClose'> {
  title: string
  context: string
  submit: string
  options: Omit<FormOptions<S>, 'onDone'>
  onDone: (reply: unknown) => void
  lesson: Lesson | undefined
}

const question = {
  title: 'Discard your changes?',
  action: 'Discard',
  cancel: 'Keep editing',
  isDestructive: true,
}

function LessonForm<S extends z.ZodType>(props: FormProps<S>) {
  const { title, context, submit, options, onDone, onClose, course, modules, lessons, lesson, sought } = props
  const id = useId()
  const model = useForm({
    ...options,
    onDone: (reply) => {
      onDone(reply)
      onClose()
    },
  })
  const close = async () => {
    if (model.isSending) return
    if (!model.isDirty || (await confirm(question))) onClose()
  }
  const foot = (
    <>
      {lesson && <HistoryButton isInDialog record={{ kind: 'lesson', id: lesson.id }} />}
      <Button variant="default" onClick={() => void close()} disabled={model.isSending}>
        Cancel
      </Button>
      <Button type="submit" form={id} loading={model.isSending}>
        {submit}
      </Button>
    </>
  )
  const problems = Object.entries(model.problems).filter(([name]) => /^(content_data|kept_components)/.test(name))
  return (
    <Dialog isOpen onClose={() => void close()} title={title} context={context} size={1080} foot={foot}>
      <EditorContext value={{ course, lessonId: lesson?.id, ...(sought && { sought }) }}>
        <FormBody model={model} id={id}>
          <div className={styles.lesson}>
            <div className={styles.lessonFields}>
              <LessonFields modules={modules} lessons={lessons} lesson={lesson} />
            </div>
            <LessonContent
              type={(model.values.content_type ?? 'text') as ContentType}
              content={(model.values.content_data ?? {}) as ContentData}
              kept={(model.values.kept_components ?? []) as MixedComponent[]}
              problems={problems.map(([name, text]) => ({ name, text }))}
              onType={(type, content, kept) => {
                model.set('content_type', type)
                model.set('content_data', content)
                model.set('kept_components', kept)
              }}
              onChange={(content) => model.set('content_data', content)}
            />
          </div>
        </FormBody>
      </EditorContext>
    </Dialog>
  )
}
