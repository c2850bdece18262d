import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { onboardStretcher, promoteToStretcher, type Stretcher } from '@limber/contract/stretchers/stretcher.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { confirmDiscard } from '#ui/dialog/confirm-discard.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { CheckField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useForm } from '#ui/form/use-form.ts'
import styles from './add-stretcher.module.css'
import { nameOf } from './labels.ts'
import { useCreate, usePromote } from './stretcher.api.ts'

type Mode = 'create' | 'promote'
interface HireResult {
  message: string
  stretcher: Stretcher
  enrolledCourses: number
}

interface HireFormProps<S extends z.ZodType> {
  schema: S
  mutation: { mutateAsync: (input: z.input<S>) => Promise<HireResult> }
  initial: Partial<z.input<S>>
  action: string
  busy: string
  onDone: (done: HireResult) => void
  onTry: () => void
  onDirty: (isDirty: boolean) => void
  children: ReactNode
}

/** The form of one mode. Its button shows the progress. */
function HireForm<S extends z.ZodType>({
  schema,
  mutation,
  initial,
  action,
  busy,
  onDone,
  onTry,
  onDirty,
  children,
}: HireFormProps<S>) {
  const sent = {
    mutateAsync: async (input: z.input<S>) => {
      onTry()
      onDone(await mutation.mutateAsync(input))
    },
  }
  const model = useForm({ schema, mutation: sent, initial })
  const isDirty = model.isDirty && !model.isSending
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const foot = (
    <Button type="submit" disabled={model.isSending} className={styles.submit ?? ''}>
      {model.isSending ? busy : action}
    </Button>
  )
  return (
    <>
      <FormBody model={model} foot={foot}>
        {children}
        <CheckField label="Requires Training" name="needsTraining" hint="Enrolls them in every required course." />
      </FormBody>
      <LeaveGuard isDirty={isDirty} />
    </>
  )
}

interface Props {
  mode: Mode
  /** Without a mode, it closes. */
  onMode: (mode: Mode | '') => void
  onOpen: (id: number) => void
}

/** Create New Stretcher or Promote Existing User. Switching clears the form and its messages. */
export function AddStretcher({ mode, onMode, onOpen }: Props) {
  const create = useCreate()
  const promote = usePromote()
  // A new key remounts the form empty. The message of the last submission stays below it.
  const [formKey, setFormKey] = useState(0)
  const [done, setDone] = useState<HireResult>()
  const [isDirty, setDirty] = useState(false)
  const isSending = create.isPending || promote.isPending
  const common = {
    onDirty: setDirty,
    onTry: () => setDone(undefined),
    onDone: (result: HireResult) => {
      setDone(result)
      setFormKey((before) => before + 1)
    },
  }
  const close = async () => {
    // The dialog shows what became of it.
    if (!isSending && (!isDirty || (await confirmDiscard()))) onMode('')
  }
  return (
    <Dialog isOpen onClose={() => void close()} title="Add a stretcher">
      <div className={styles.add}>
        <SegmentedControl
          aria-label="How to add a stretcher"
          fullWidth
          // A pending request must not report its result in the other form.
          disabled={isSending}
          data={[
            { value: 'create', label: 'Create New Stretcher' },
            { value: 'promote', label: 'Promote Existing User' },
          ]}
          value={mode}
          onChange={(next) => {
            setDone(undefined)
            setFormKey(formKey + 1)
            onMode(next as Mode)
          }}
        />
        {mode === 'create' ? (
          <HireForm
            key={`create-${formKey}`}
            schema={onboardStretcher.body}
            mutation={create}
            initial={{ needsTraining: true }}
            action="Create Account"
            busy="Creating..."
            {...common}
          >
            <FieldRow>
              <TextField label="First name" name="firstName" />
              <TextField label="Last name" name="lastName" />
            </FieldRow>
            <TextField label="Email" name="email" type="email" />
            <DayField label="Date of birth" name="dateOfBirth" />
          </HireForm>
        ) : (
          <HireForm
            key={`promote-${formKey}`}
            schema={promoteToStretcher.body}
            mutation={promote}
            initial={{ needsTraining: true }}
            action="Promote User"
            busy="Promoting..."
            {...common}
          >
            <TextField label="Email" name="email" type="email" hint="The email the user signs in with." />
          </HireForm>
        )}
        {done && (
          <Banner
            kind="green"
            action={
              <Button variant="default" size="xs" onClick={() => onOpen(done.stretcher.id)}>
                Open {nameOf(done.stretcher)}
              </Button>
            }
          >
            {done.message}
            {done.enrolledCourses > 0 && ` Enrolled in ${pluralize(done.enrolledCourses, 'required course')}.`}
            {!done.stretcher.zone && ' Next: assign a zone.'}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
