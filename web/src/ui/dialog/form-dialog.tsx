import { Button } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { z } from 'zod'
import { FormBody } from '../form/form.tsx'
import { type FormOptions, useForm } from '../form/use-form.ts'
import { confirmDiscard } from './confirm-discard.ts'
import styles from './dialog.module.css'
import { Dialog } from './dialog.tsx'

interface Props<S extends z.ZodType> extends FormOptions<S> {
  isOpen: boolean
  onClose: () => void
  title: string
  context?: ReactNode
  submit: string
  /** The label of the cancel button, where 'Cancel' could be mistaken for the action. */
  cancel?: string
  size?: 400 | 480 | 520 | 640 | 760
  isDestructive?: boolean
  /** Beside the buttons: an icon and a few words. */
  note?: ReactNode
  children: ReactNode
}

/** A form in a dialog. Its buttons stay visible, it closes after saving, and it asks before discarding changes. */
export function FormDialog<S extends z.ZodType>({ isOpen, ...props }: Props<S>) {
  // Mounted only while open, so that each opening starts with a fresh form.
  return isOpen ? <OpenFormDialog {...props} /> : null
}

function OpenFormDialog<S extends z.ZodType>(props: Omit<Props<S>, 'isOpen'>) {
  const { onClose, title, context, submit, cancel = 'Cancel', size = 480, isDestructive = false, ...rest } = props
  const { children, note, onDone, ...options } = rest
  const id = useId()
  const done = (reply: unknown) => {
    onDone?.(reply)
    onClose()
  }
  const model = useForm({ ...options, onDone: done })
  const close = async () => {
    if (model.isSending) return
    if (!model.isDirty || (await confirmDiscard())) onClose()
  }
  const foot = (
    <>
      {note && <span className={styles.note}>{note}</span>}
      <Button variant="default" onClick={() => void close()} disabled={model.isSending}>
        {cancel}
      </Button>
      <Button type="submit" form={id} loading={model.isSending} color={isDestructive ? 'red' : 'teal'}>
        {submit}
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={() => void close()} title={title} context={context} size={size} foot={foot}>
      <FormBody model={model} id={id}>
        {children}
      </FormBody>
    </Dialog>
  )
}
