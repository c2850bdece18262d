import type { SetupStep } from '@limber/contract/company/setup.ts'
import { Button } from '@mantine/core'
import { IconCheck, IconExclamationMark } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLive, useLiveRefresh } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { mailServerQuery, setupKey, setupQuery, useHideGuide } from './company.api.ts'
import { MailServerForm } from './mail-server-form.tsx'
import { StepAction } from './setup-action.tsx'
import styles from './setup-guide.module.css'
import { stateLabels, stepGroups, stepText, stepTitles } from './setup-text.ts'

const command = () => `curl -H "Authorization: Bearer lmb_…" ${window.location.origin}/api/v1/me`

function MailForm() {
  const { data } = useQuery(mailServerQuery)
  return data ? <MailServerForm key={data.version} mailServer={data} /> : null
}

/** What is done in the row itself. */
function StepBody({ step, isCurrent }: { step: SetupStep; isCurrent: boolean }) {
  if (step.id === 'mail' && isCurrent)
    return (
      <div className={styles.body}>
        <MailForm />
      </div>
    )
  if (step.id === 'api-key' && step.state === 'started')
    return (
      <div className={styles.command}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard */}
        <code tabIndex={0}>{command()}</code>
        <CopyButton text={command()} label="Copy command" />
      </div>
    )
  return null
}

function Step({ step, isCurrent }: { step: SetupStep; isCurrent: boolean }) {
  const isFormHere = step.id === 'mail' && isCurrent
  return (
    <li className={styles.step} data-state={step.state} data-current={isCurrent || undefined}>
      <span className={styles.mark} aria-hidden="true">
        {step.state === 'done' && <Icon of={IconCheck} size={13} />}
        {step.state === 'failed' && <Icon of={IconExclamationMark} size={13} />}
      </span>
      <div className={styles.words}>
        <h4>
          {stepTitles[step.id]}
          <span className={styles.hidden}> ({stateLabels[step.state]})</span>
        </h4>
        <p>{stepText(step)}</p>
      </div>
      {!isFormHere && <StepAction step={step} />}
      <StepBody step={step} isCurrent={isCurrent} />
    </li>
  )
}

/** Hides the guide for everyone. Only Owners may. */
function HideGuide() {
  const hide = useHideGuide()
  const run = () =>
    hide.mutateAsync(true).then(
      () => toast('The setup guide is hidden. Company brings it back.'),
      (error: unknown) => toastFailure("Couldn't hide the setup guide", error),
    )
  return (
    <Button variant="subtle" color="gray" size="xs" loading={hide.isPending} onClick={() => void run()}>
      Hide guide
    </Button>
  )
}

/** The steps that are left before the company can open. Each state is read from data, so a step closes itself. */
export default function SetupGuide() {
  const cache = useQueryClient()
  const isOwner = useSession().worker.role === 'Owner'
  const { data } = useQuery(setupQuery)
  const steps = data?.steps ?? []
  useLiveRefresh('company', setupKey)
  useLiveRefresh('businesses', setupKey)
  useLiveRefresh('access', setupKey)
  useLiveRefresh('api-keys', setupKey)
  useLiveRefresh('payroll.settings', setupKey)
  // Customers change all the time. The guide only waits for the first one.
  const waitsForCustomers = steps.some(({ id, state }) => id === 'customers' && state !== 'done')
  useLive('customers', () => {
    if (waitsForCustomers) void cache.invalidateQueries({ queryKey: setupKey })
  })
  if (!data || steps.length === 0) return null
  const done = steps.filter(({ state }) => state === 'done').length
  const company = data.company || 'your company'
  const current =
    steps.find(({ state }) => state === 'failed') ??
    steps.find(({ id, state }) => state !== 'done' && id !== 'texts' && id !== 'ads')
  return (
    <section className={styles.card} aria-labelledby="setup-guide">
      <div className={styles.head}>
        <div>
          <h2 id="setup-guide">
            {done === steps.length ? `${data.company || 'Your company'} is set up` : `Set up ${company}`}
          </h2>
          <p>
            {done} of {steps.length} done. Each step reads its state from your data, so it closes itself.
          </p>
        </div>
        <span className={styles.progress} aria-hidden="true">
          {steps.map(({ id }, place) => (
            <i key={id} data-on={place < done || undefined} />
          ))}
        </span>
        {isOwner && <HideGuide />}
      </div>
      {done < steps.length &&
        stepGroups.map(({ title, steps: ids }) => {
          const own = steps.filter(({ id }) => ids.includes(id))
          if (own.length === 0) return null
          return (
            <div key={title}>
              <h3 className={styles.group}>{title}</h3>
              <ol aria-label={title}>
                {own.map((step) => (
                  <Step key={step.id} step={step} isCurrent={step.id === current?.id} />
                ))}
              </ol>
            </div>
          )
        })}
    </section>
  )
}
