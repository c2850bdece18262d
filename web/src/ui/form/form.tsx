import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { z } from 'zod'
import { messageOf } from '#platform/api/api.ts'
import { Banner } from '../feedback/banner.tsx'
import { isSendKey } from '../keyboard/send-key.ts'
import styles from './form.module.css'
import { FormContext } from './form-state.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { type FormModel, type FormOptions, useForm } from './use-form.ts'

interface BodyProps {
  model: FormModel
  id?: string
  children: ReactNode
  foot?: ReactNode
}

/** The form element around any model: fields, refusal, Ctrl-Enter, focus on the first problem. */
export function FormBody({ model, id, children, foot }: BodyProps) {
  const form = useRef<HTMLFormElement>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const { values, problems, failure, isSending, isDirty, refusals, set, submit } = model

  // Once for each refusal: whoever mends one problem is not carried off to the next while typing.
  useEffect(() => {
    if (isSending || refusals === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus({ preventScroll: true })
    // In the middle, so that the words below the field are seen too.
    wrong?.scrollIntoView({ block: 'center' })
    // A refusal that belongs to no field stands at the end, which a long form hides.
    if (!wrong) refusal.current?.scrollIntoView({ block: 'nearest' })
  }, [refusals, isSending])

  const onKeyDown = (event: KeyboardEvent) => {
    // What is typed in a dialog above the form is not for the form.
    if (!isSendKey(event) || event.defaultPrevented || !form.current?.contains(event.target as Node)) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <FormContext value={{ values, problems, isDirty, set }}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
        {...(id ? { id } : {})}
      >
        <fieldset className={styles.fields} disabled={isSending}>
          {children}
        </fieldset>
        {failure !== undefined && (
          <div ref={refusal}>
            <Banner kind="red">{messageOf(failure)}</Banner>
          </div>
        )}
        {foot}
      </form>
    </FormContext>
  )
}

interface Props<S extends z.ZodType> extends FormOptions<S> {
  children: ReactNode
  /** The words on the button. */
  submit: string
  onCancel?: () => void
  /** Asks before what was typed is left behind. */
  isGuarded?: boolean
  /** What the URL calls the record that the form belongs to, when another one can be chosen beside it. */
  record?: string
  /** Not the main thing of its pane: the button stands back. */
  isQuiet?: boolean
}

/** A schema in, fields by name. Disabled while it is sent, shows the refusal, keeps what was typed. */
export function Form<S extends z.ZodType>(props: Props<S>) {
  const { children, submit, onCancel, isGuarded = false, record, isQuiet = false, ...options } = props
  const model = useForm(options)
  const foot = (
    <div className={styles.foot}>
      {onCancel && (
        <Button variant="default" onClick={onCancel} disabled={model.isSending}>
          Cancel
        </Button>
      )}
      <Button type="submit" variant={isQuiet ? 'default' : 'filled'} loading={model.isSending}>
        {submit}
      </Button>
    </div>
  )
  return (
    <>
      <FormBody model={model} foot={foot}>
        {children}
      </FormBody>
      {isGuarded && <LeaveGuard isDirty={model.isDirty && !model.isSending} record={record} />}
    </>
  )
}
