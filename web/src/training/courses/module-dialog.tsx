import type { Course } from '@limber/contract/training/courses/course.ts'
import { createModule, type Module, updateModule } from '@limber/contract/training/courses/module.ts'
import { useState } from 'react'
import type { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { AreaField, FieldRow } from '#ui/form/fields.tsx'
import { ManyField } from '#ui/form/many/many-field.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { FlagField, KeyField, StepField, TitleField } from '../fields.tsx'
import { useNotices } from '../notices.tsx'
import { useCreateModule, useUpdateModule } from '../training.api.ts'
import { formatValue, omitUndefined, yesNo } from './conflict-text.ts'

function ModuleFields({ module, others }: { module: Module | undefined; others: readonly Module[] }) {
  const options = others.map(({ module_key, title }) => ({ value: module_key, label: title }))
  return (
    <>
      <FieldRow>
        <TitleField keyName={module ? undefined : 'module_key'} />
        <KeyField label="Module key" name="module_key" isLocked={module !== undefined} />
      </FieldRow>
      <AreaField label="Description" name="description" rows={3} />
      <StepField label="Estimated duration" name="estimated_duration_minutes" step={5} unit="minute" />
      <ManyField
        label="Prerequisites"
        name="prerequisites"
        options={options}
        hint="Modules of this course to complete before this one."
        none="There are no other modules."
      />
      <FieldRow>
        <FlagField label="Required" name="is_required" hint="Required to complete the course." />
        <FlagField label="Active" name="is_active" hint="Learners can see it." />
      </FieldRow>
    </>
  )
}

interface Props {
  course: Course
  modules: readonly Module[]
  module: Module | undefined
  isCreating: boolean
  onClose: () => void
}

/** Adds a module to the end of a course, or edits one. */
export default function ModuleDialog({ course, modules, module, isCreating, onClose }: Props) {
  if (isCreating) return <NewModule course={course} modules={modules} onClose={onClose} />
  return module ? <ChangeModule course={course} modules={modules} module={module} onClose={onClose} /> : null
}

function NewModule({ course, modules, onClose }: Pick<Props, 'course' | 'modules' | 'onClose'>) {
  const create = useCreateModule()
  const { succeed } = useNotices()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      size={640}
      title="Create Module"
      context={course.title}
      submit="Create Module"
      schema={createModule.body}
      mutation={create}
      initial={{ is_required: true, is_active: true, prerequisites: [] }}
      fixed={{ course_key: course.course_key }}
      onDone={(reply) => succeed('Module created successfully', reply)}
    >
      <ModuleFields module={undefined} others={modules} />
    </FormDialog>
  )
}

type Fields = Pick<
  z.input<typeof updateModule.body>,
  'title' | 'description' | 'estimated_duration_minutes' | 'prerequisites' | 'is_required' | 'is_active'
>

const fieldsOf = (module: Module): Fields => ({
  title: module.title,
  description: module.description ?? '',
  estimated_duration_minutes: module.estimated_duration_minutes,
  prerequisites: module.prerequisites,
  is_required: module.is_required,
  is_active: module.is_active,
})

function ChangeModule({ course, modules, module, onClose }: Omit<Props, 'isCreating'> & { module: Module }) {
  const update = useUpdateModule()
  const { succeed } = useNotices()
  // Keep the record the form started from: a reload may replace the prop.
  const [base] = useState(module)
  const keys = { course_key: course.course_key, module_key: base.module_key }
  const { mutateAsync, conflict } = useConflict<typeof updateModule, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this module',
    formatters: [
      ['Title', ({ title }) => formatValue(title)],
      ['Description', ({ description }) => formatValue(description)],
      ['Minutes', ({ estimated_duration_minutes }) => formatValue(estimated_duration_minutes)],
      ['Prerequisites', ({ prerequisites }) => formatValue(prerequisites)],
      ['Required', ({ is_required }) => yesNo(is_required)],
      ['Active', ({ is_active }) => yesNo(is_active)],
    ],
    send: async (fields) =>
      (await update.mutateAsync({ estimated_duration_minutes: null, ...omitUndefined(fields), ...keys })).data,
    onSaved: (saved) => {
      succeed('Module updated successfully', saved)
      onClose()
    },
    onTaken: onClose,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        size={640}
        title="Edit Module"
        context={course.title}
        submit="Update Module"
        schema={updateModule.body}
        mutation={{ mutateAsync: ({ course_key: _, module_key: __, ...typed }) => mutateAsync(typed) }}
        initial={{ module_key: base.module_key, ...fieldsOf(base) }}
        fixed={keys}
        note={
          <HistoryButton
            isInDialog
            size="xs"
            record={{ kind: 'module', id: `${course.course_key}/${base.module_key}` }}
          />
        }
      >
        <ModuleFields module={module} others={modules.filter(({ module_key }) => module_key !== base.module_key)} />
      </FormDialog>
      {conflict}
    </>
  )
}
