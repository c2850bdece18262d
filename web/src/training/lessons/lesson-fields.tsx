import type { Module } from '@limber/contract/training/courses/module.ts'
import type { Lesson, LessonRow } from '@limber/contract/training/lessons/lesson.ts'
import { useEffect, useEffectEvent } from 'react'
import { AreaField, ChoiceField, FieldRow } from '#ui/form/fields.tsx'
import { useField } from '#ui/form/form-state.ts'
import { ManyField } from '#ui/form/many/many-field.tsx'
import { FlagField, KeyField, StepField, TitleField } from '../fields.tsx'
import { lessonLabel } from '../labels.ts'

interface Props {
  modules: readonly Module[]
  lessons: readonly LessonRow[]
  lesson: Lesson | undefined
}

/** All lesson fields except the content. */
export function LessonFields({ modules, lessons, lesson }: Props) {
  const { value: module } = useField('module_key', 'Module', '')
  const { value: type } = useField('content_type', 'Content type', '')
  const others = lessons.filter(({ id }) => id !== lesson?.id)
  const near = others.filter(({ module_key }) => module_key === module)
  const required = useField<number[]>('prerequisites', 'Prerequisites', [])
  const leaveBehind = useEffectEvent(() => {
    const kept = required.value.filter((id) => near.some((one) => one.id === id))
    if (kept.length < required.value.length) required.set(kept)
  })
  // Prerequisites belong to the module, so a lesson that moves loses them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the module changes
  useEffect(() => leaveBehind(), [module])
  const toOption = (one: LessonRow) => ({ value: String(one.id), label: lessonLabel(one) })
  return (
    <>
      <TitleField keyName={lesson ? undefined : 'lesson_key'} />
      <KeyField label="Lesson key" name="lesson_key" isLocked={lesson !== undefined} />
      <ChoiceField
        label="Module"
        name="module_key"
        {...(lesson ? {} : { placeholder: 'Select a module' })}
        options={modules.map(({ module_key, title }) => ({ value: module_key, label: title }))}
      />
      <AreaField label="Description" name="description" rows={2} />
      <FieldRow>
        <StepField label="Duration" name="duration_minutes" step={1} unit="minute" />
        {type !== 'quiz' && (
          <StepField label="Passing score" name="passing_score" step={5} max={100} decimals={1} unit="%" />
        )}
        {type !== 'quiz' && <StepField label="Max attempts" name="max_attempts" step={1} min={1} />}
      </FieldRow>
      <FieldRow>
        <FlagField label="Required" name="is_required" />
        <FlagField label="Active" name="is_active" />
      </FieldRow>
      <ManyField
        label="Prerequisites"
        name="prerequisites"
        isNumeric
        options={near.map(toOption)}
        hint="Lessons in the same module to complete before this one."
        none={module ? 'There are no other lessons in the module.' : 'Select a module first.'}
      />
      <ManyField
        label="References"
        name="references"
        isNumeric
        options={others.map(toOption)}
        hint="Related lessons in this course."
        none="There are no other lessons in the course."
      />
    </>
  )
}
