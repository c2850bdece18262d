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

/** The form element for a model: fields, refusal, Ctrl-Enter, focus on the first problem. */
export function FormBody({ model, id, children, foot }: BodyProps) {
  const form = useRef<HTMLFormElement>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const { values, problems, failure, isSending, isDirty, refusals, set, submit } = model

  // Once per refusal, so that fixing one problem does not move the focus to the next while typing.
  useEffect(() => {
    if (isSending || refusals === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus({ preventScroll: true })
    // Centered, so that the message below the field is visible too.
    wrong?.scrollIntoView({ block: 'center' })
    // A refusal without a field shows at the end, which a long form can hide.
    if (!wrong) refusal.current?.scrollIntoView({ block: 'nearest' })
  }, [refusals, isSending])

  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore keys from a dialog on top of the form.
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
  /** The label of the submit button. */
  submit: string
  onCancel?: () => void
  /** Asks before leaving with unsaved changes. */
  isGuarded?: boolean
  /** The search parameter of the form's record, when the screen can switch to another record. */
  record?: string
  /** A secondary form: its submit button is not filled. */
  isQuiet?: boolean
}

/** A form for a schema. Disabled while sending, shows the refusal, keeps what was typed. */
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
