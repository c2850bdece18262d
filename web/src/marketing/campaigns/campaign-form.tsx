import type { Lockable } from '@limber/contract/marketing/campaigns/campaign.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { StepBar } from '#ui/layout/step-bar.tsx'
import { type AdMedia, AdPreview } from './ad-preview.tsx'
import { CampaignCheck } from './campaign-check.tsx'
import { type Draft, DraftSchema, draftProblems } from './campaign-draft.ts'
import { AdStep, AudienceStep, BudgetStep } from './campaign-fields.tsx'
import { type CampaignStep, campaignSteps, problemsIn, stepLabels, stepOf } from './campaign-steps.ts'
import styles from './campaigns.module.css'

interface Props {
  title: string
  context?: ReactNode
  submit: string
  initial: Partial<Draft>
  mutation: { mutateAsync: (draft: Draft) => Promise<unknown> }
  media: readonly AdMedia[]
  locked?: readonly Lockable[]
  /** Fields of a new campaign, which it cannot change later. */
  result?: ReactNode
  files?: ReactNode
  /** For a new campaign: the last step that checks everything. */
  check?: { isMetaConnected: boolean | undefined }
  /** Above the steps. */
  note?: ReactNode
  /** Keeps what was typed when the dialog closes; without it, closing asks before discarding. */
  onKeep?: (draft: Partial<Draft>, isDirty: boolean) => void
  onClose: () => void
}

/** The form of a campaign in steps, with the ad as people will see it beside them. */
export function CampaignForm(props: Props) {
  const { title, context, submit, initial, mutation, media, locked = [], check, onKeep, onClose } = props
  const steps = check ? campaignSteps : campaignSteps.slice(0, -1)
  const id = useId()
  const [step, setStep] = useState<CampaignStep>('audience')
  /** Where the focus goes once the step is shown: a field, or the start of the step. */
  const [aim, setAim] = useState<{ field?: string }>()
  const panel = useRef<HTMLElement>(null)
  const form = useForm({ schema: DraftSchema, mutation, initial, onDone: onClose })
  const { values, problems, refusals, isSending, isDirty } = form
  const draft = values as unknown as Draft

  const open = (next: CampaignStep, field?: string) => {
    setStep(next)
    setAim(field === undefined ? {} : { field })
  }
  const model = {
    ...form,
    submit: async () => {
      const found = draftProblems(draft)
      if (Object.keys(found).length === 0) return form.submit()
      form.refuse(found)
      return false
    },
  }
  const goOn = () => {
    const found = problemsIn(draftProblems(draft), step)
    if (Object.keys(found).length > 0) return form.refuse(found)
    const next = steps[steps.indexOf(step) + 1]
    if (next) open(next)
  }
  const seen = useRef(0)
  useEffect(() => {
    if (isSending || refusals === seen.current) return
    seen.current = refusals
    const [first] = Object.keys(problems)
    if (first !== undefined && stepOf(first) !== step) {
      setStep(stepOf(first))
      setAim({ field: first })
    }
  }, [refusals, isSending, problems, step])
  useEffect(() => {
    if (!aim) return
    const { field } = aim
    const wanted = field && panel.current?.querySelector<HTMLElement>(`[name="${field}"], [aria-invalid="true"]`)
    ;(wanted || panel.current)?.focus()
  }, [aim])
  useEffect(() => onKeep?.(draft, isDirty), [draft, isDirty, onKeep])

  const close = async () => {
    if (isSending) return
    const question = { title: 'Discard your changes?', action: 'Discard', cancel: 'Keep editing', isDestructive: true }
    if (onKeep || !isDirty || (await confirm(question))) onClose()
  }
  const at = steps.indexOf(step)
  const before = steps[at - 1]
  const isLast = at === steps.length - 1
  const foot = (
    <>
      {before ? (
        <Button variant="default" disabled={isSending} onClick={() => open(before)}>
          Back
        </Button>
      ) : (
        <Button variant="default" disabled={isSending} onClick={() => void close()}>
          {onKeep ? 'Close' : 'Cancel'}
        </Button>
      )}
      {!isLast && (
        <Button variant={check ? 'filled' : 'default'} onClick={goOn}>
          Continue
        </Button>
      )}
      {(isLast || !check) && (
        <Button type="submit" form={id} loading={isSending}>
          {submit}
        </Button>
      )}
    </>
  )
  return (
    <Dialog isOpen onClose={() => void close()} title={title} context={context} size={1080} foot={foot}>
      {props.note}
      <StepBar
        steps={steps}
        labels={stepLabels}
        step={step}
        wrong={new Set(Object.keys(problems).map(stepOf))}
        onOpen={open}
      />
      <div className={styles.composer}>
        <AdPreview draft={draft} media={media} />
        <FormBody model={model} id={id}>
          <section className={styles.step} ref={panel} tabIndex={-1} aria-label={stepLabels[step]}>
            {step === 'audience' && (
              <AudienceStep draft={draft} locked={locked}>
                {props.result}
              </AudienceStep>
            )}
            {step === 'ad' && (
              <AdStep draft={draft} locked={locked}>
                {props.files}
              </AdStep>
            )}
            {step === 'budget' && <BudgetStep locked={locked} />}
            {step === 'check' && check && (
              <CampaignCheck
                draft={draft}
                problems={draftProblems(draft)}
                files={media.length}
                isMetaConnected={check.isMetaConnected}
                onOpen={open}
              />
            )}
          </section>
        </FormBody>
      </div>
    </Dialog>
  )
}
