import { pickFields } from '@limber/contract/kit/fields.ts'
import {
  CANNOT_ACTIVATE,
  type Course,
  type CourseDraft,
  courseFields,
  createCourse,
  updateCourse,
} from '@limber/contract/training/courses/course.ts'
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { AreaField, ChoiceField, FieldRow } from '#ui/form/fields.tsx'
import { FormContext, useField } from '#ui/form/form-state.ts'
import { ManyField } from '#ui/form/many/many-field.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { FlagField, KeyField, StepField, TitleField } from '../fields.tsx'
import { StyleField } from '../lessons/style-field.tsx'
import { useNotices } from '../notices.tsx'
import { coursesQuery, readinessQuery, useCreateCourse, useUpdateCourse } from '../training.api.ts'
import { cutAtDifference, omitUndefined } from './conflict-text.ts'
import { ReadinessList } from './readiness.tsx'

const levels = [
  { value: 'beginner', label: 'Beginner' },
  { value: 'intermediate', label: 'Intermediate' },
  { value: 'advanced', label: 'Advanced' },
]

function OtherCourses({ own }: { own: string | undefined }) {
  const { data = [] } = useQuery(coursesQuery)
  const options = data
    .filter(({ course_key }) => course_key !== own)
    .map(({ course_key, title }) => ({ value: course_key, label: title }))
  return (
    <ManyField
      label="Prerequisites"
      name="prerequisites"
      options={options}
      hint="Courses to complete before this one."
      none="There are no other courses."
    />
  )
}

function CourseFields({ course }: { course: Course | undefined }) {
  return (
    <>
      <FieldRow>
        <TitleField keyName={course ? undefined : 'course_key'} />
        <KeyField label="Course key" name="course_key" isLocked={course !== undefined} />
      </FieldRow>
      <AreaField label="Description" name="description" rows={3} />
      <FieldRow>
        <ChoiceField label="Difficulty level" name="difficulty_level" options={levels} />
        <StepField label="Estimated duration" name="estimated_duration_hours" step={0.5} decimals={1} unit="hour" />
      </FieldRow>
      <OtherCourses own={course?.course_key} />
      <FlagField
        label="Required"
        name="is_required"
        hint="New stretchers who need training are enrolled automatically."
      />
      <StyleField label="Course stylesheet" name="trainingStylesheet" />
    </>
  )
}

const discard = { title: 'Discard your changes?', action: 'Discard', cancel: 'Keep editing', isDestructive: true }

/** The production mode switch, with its effect and the readiness checklist. */
function ProductionField({ course }: { course: Course }) {
  const { value, set } = useField('is_active', 'Production mode', false)
  const form = use(FormContext)
  const { data } = useQuery(readinessQuery(course.course_key))
  const mayActivate = course.is_active || (course.moduleCount > 0 && course.lessonCount > 0)
  // The server would refuse this, so show its exact refusal right away.
  if (value && !mayActivate) set(false)
  return (
    <>
      <FlagField
        label="Production mode"
        name="is_active"
        isDisabled={!mayActivate}
        hint={value ? 'Learners can take this course.' : 'In development. Learners cannot see this course.'}
      />
      {!mayActivate && <Banner kind="amber">{CANNOT_ACTIVATE}</Banner>}
      {value && !course.is_active && (
        <Banner kind="amber">
          Production mode makes this course available to users. Be sure all modules and lessons are complete.
        </Banner>
      )}
      {!value && course.is_active && course.learningCount > 0 && (
        <Banner kind="amber">
          {course.learningCount === 1
            ? '1 learner is taking this course and will lose access.'
            : `${course.learningCount} learners are taking this course and will lose access.`}
        </Banner>
      )}
      {data && data.items.length > 0 && (
        <ReadinessList
          course={course}
          items={data.items}
          {...(form?.isDirty && { mayLeave: () => confirm(discard) })}
        />
      )}
    </>
  )
}

interface Props {
  course: Course | undefined
  isCreating: boolean
  onClose: () => void
  onCreated: (key: string) => void
}

/** Creates a course in development mode, or edits one. */
export default function CourseDialog({ course, isCreating, onClose, onCreated }: Props) {
  if (isCreating) return <NewCourse onClose={onClose} onCreated={onCreated} />
  return course ? <ChangeCourse course={course} onClose={onClose} /> : null
}

function NewCourse({ onClose, onCreated }: Pick<Props, 'onClose' | 'onCreated'>) {
  const create = useCreateCourse()
  const { succeed } = useNotices()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Create Course"
      size={640}
      submit="Create Course"
      schema={createCourse.body}
      mutation={{
        mutateAsync: async (typed) => {
          const { data } = await create.mutateAsync(typed)
          onCreated(data.course_key)
          return data
        },
      }}
      initial={{ difficulty_level: 'beginner', is_required: false, prerequisites: [] }}
      onDone={(reply) => succeed('Course created successfully', reply)}
    >
      <CourseFields course={undefined} />
    </FormDialog>
  )
}

const fieldsOf = (course: Course): CourseDraft => pickFields(courseFields, course)

function ChangeCourse({ course, onClose }: { course: Course; onClose: () => void }) {
  const update = useUpdateCourse()
  const { succeed } = useNotices()
  // Keep the record the form started from: a reload may replace the prop.
  const [base] = useState(course)
  const { course_key } = base
  const { mutateAsync, conflict } = useConflict<typeof updateCourse, CourseDraft>({
    base,
    fieldsOf,
    title: 'Someone else changed this course',
    formatters: fieldFormatters(courseFields, {
      blank: '--',
      shown: { trainingStylesheet: (css?: string) => cutAtDifference(css, base.trainingStylesheet) },
    }),
    // An emptied number must be sent as null; omitted, it would not change.
    send: async (fields) =>
      (await update.mutateAsync({ estimated_duration_hours: null, ...omitUndefined(fields), course_key })).data,
    onSaved: (saved) => {
      succeed('Course updated successfully', saved)
      onClose()
    },
    onTaken: onClose,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title="Edit Course"
        context={course.title}
        size={640}
        submit="Update Course"
        schema={updateCourse.body}
        mutation={{ mutateAsync: ({ course_key: _, ...typed }) => mutateAsync(typed) }}
        initial={{ course_key, ...fieldsOf(base) }}
        fixed={{ course_key }}
      >
        <CourseFields course={course} />
        <ProductionField course={course} />
      </FormDialog>
      {conflict}
    </>
  )
}
