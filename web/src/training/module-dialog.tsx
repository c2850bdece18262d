import type { Course } from '@limber/contract/training/course.ts'
import { createModule, type Module, updateModule } from '@limber/contract/training/module.ts'
import { AreaField, FieldRow } from '#ui/fields.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { FlagField, KeyField, ManyField, StepField, TitleField } from './fields.tsx'
import { useNotices } from './notices.tsx'
import { useCreateModule, useUpdateModule } from './training.api.ts'

function ModuleFields({ module, others }: { module: Module | undefined; others: readonly Module[] }) {
  const options = others.map(({ module_key, title }) => ({ value: module_key, label: title }))
  return (
    <>
      <FieldRow>
        <TitleField />
        <KeyField label="Module key" name="module_key" isLocked={module !== undefined} />
      </FieldRow>
      <AreaField label="Description" name="description" rows={3} />
      <StepField label="Estimated duration" name="estimated_duration_minutes" step={5} suffix=" minutes" />
      <ManyField
        label="Prerequisites"
        name="prerequisites"
        options={options}
        hint="Modules of this course to complete before this one."
        none="There is no other module."
      />
      <FieldRow>
        <FlagField label="Required" name="is_required" hint="The course is complete only with it." />
        <FlagField label="Active" name="is_active" hint="Learners see it." />
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

/** Creates a module at the end of a course, or changes one. */
export default function ModuleDialog({ course, modules, module, isCreating, onClose }: Props) {
  const create = useCreateModule()
  const update = useUpdateModule()
  const { succeed } = useNotices()
  const { course_key } = course
  const frame = { isOpen: true, onClose, size: 640 as const }
  if (isCreating)
    return (
      <FormDialog
        {...frame}
        title="Create Module"
        context={course.title}
        submit="Create Module"
        schema={createModule.body}
        mutation={create}
        initial={{ is_required: true, is_active: true, prerequisites: [] }}
        fixed={{ course_key }}
        onDone={() => succeed('Module created successfully')}
      >
        <ModuleFields module={undefined} others={modules} />
      </FormDialog>
    )
  if (!module) return null
  const { module_key, version } = module
  return (
    <FormDialog
      {...frame}
      title="Edit Module"
      context={course.title}
      submit="Update Module"
      schema={updateModule.body}
      mutation={{ mutateAsync: (input) => update.mutateAsync({ estimated_duration_minutes: null, ...input }) }}
      initial={{
        module_key,
        title: module.title,
        description: module.description ?? '',
        estimated_duration_minutes: module.estimated_duration_minutes,
        prerequisites: module.prerequisites,
        is_required: module.is_required,
        is_active: module.is_active,
      }}
      fixed={{ course_key, module_key, version }}
      onDone={() => succeed('Module updated successfully')}
    >
      <ModuleFields module={module} others={modules.filter((one) => one.module_key !== module_key)} />
    </FormDialog>
  )
}
