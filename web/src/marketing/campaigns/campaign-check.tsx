import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import {
  adObjectiveLabels,
  Budget,
  campaignSourceLabels,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { type Problems, sentence } from '#ui/form/form-state.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { questionText } from '../leads/lead-labels.ts'
import { audienceOf, type Draft, hasForm, isAd } from './campaign-draft.ts'
import { adText, audienceText, goalText } from './campaign-labels.ts'
import { type CampaignStep, fieldLabel, stepLabels, stepOf } from './campaign-steps.ts'
import styles from './campaigns.module.css'

interface Props {
  draft: Draft
  problems: Problems
  files: number
  /** Undefined until the list has loaded. */
  isMetaConnected: boolean | undefined
  onOpen: (step: CampaignStep, field?: string) => void
}

interface PartProps extends Pick<Props, 'onOpen'> {
  step: CampaignStep
  children: ReactNode
}

function Part({ step, onOpen, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={stepLabels[step]}>
      <div className={styles.partHead}>
        <h3>{stepLabels[step]}</h3>
        <Button size="xs" variant="subtle" aria-label={`Change ${stepLabels[step]}`} onClick={() => onOpen(step)}>
          Change
        </Button>
      </div>
      <Facts>{children}</Facts>
    </section>
  )
}

/** The most that the campaign can cost until its end. */
function budgetText({ budget, start_date, end_date }: Draft): string {
  if (!budget) return 'None'
  if (!Budget.safeParse(budget).success) return budget
  const daily = `${formatMoney(budget)} per day`
  if (!start_date || !end_date || end_date < start_date) return daily
  const days = daysBetween(start_date, end_date) + 1
  return `${daily}, at most ${formatMoney(stringifyMoney(parseMoney(budget) * BigInt(days)))} in ${pluralize(days, 'day')}`
}

/** The last step: what is still wrong, what was entered, and what happens next. */
export function CampaignCheck({ draft, problems, files, isMetaConnected, onOpen }: Props) {
  const wrong = Object.entries(problems)
  return (
    <>
      {wrong.length > 0 && (
        <Banner kind="red">
          <b>{pluralize(wrong.length, 'thing')} to fix first</b>
          <ul className={styles.wrong}>
            {wrong.map(([field, text]) => (
              <li key={field}>
                <button type="button" onClick={() => onOpen(stepOf(field), field)}>
                  {sentence(fieldLabel(field), text)}
                </button>
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <Part step="audience" onOpen={onOpen}>
        <Facts.Row label="Name">{draft.name || '--'}</Facts.Row>
        <Facts.Row label="Source">
          {draft.source ? campaignSourceLabels[draft.source] : '--'}
          {isAd(draft) && `, ${adObjectiveLabels[draft.objective].toLowerCase()}`}
        </Facts.Row>
        {draft.city_name && <Facts.Row label="Measured in">{draft.city_name}</Facts.Row>}
        <Facts.Row label="Audience">{audienceText(audienceOf(draft))}</Facts.Row>
      </Part>
      <Part step="ad" onOpen={onOpen}>
        <Facts.Row label="Message">
          <span className={styles.clip}>{draft.ad_message || (isAd(draft) ? 'None; the name is used' : 'None')}</span>
        </Facts.Row>
        <Facts.Row label="Media">{files > 0 ? pluralize(files, 'file') : 'None'}</Facts.Row>
        {hasForm(draft) && (
          <Facts.Row label="Form">{draft.form_fields.map(questionText).join(', ') || 'No fields'}</Facts.Row>
        )}
        {isAd(draft) && draft.tags.length > 0 && <Facts.Row label="Tags">{draft.tags.join(', ')}</Facts.Row>}
      </Part>
      <Part step="budget" onOpen={onOpen}>
        <Facts.Row label="Budget">{budgetText(draft)}</Facts.Row>
        <Facts.Row label="Dates">
          {draft.start_date ? dayText(draft.start_date) : '--'} – {dayText(draft.end_date, 'Ongoing')}
        </Facts.Row>
        {draft.goals.length > 0 && (
          <Facts.Row label="Goals">
            {draft.goals
              .map(({ type, target, custom }) =>
                goalText({ type, ...(target !== undefined && { target }), ...(custom !== undefined && { custom }) }),
              )
              .join(', ')}
          </Facts.Row>
        )}
      </Part>
      {isAd(draft) && isMetaConnected !== undefined && <Banner>{adText(isMetaConnected)}</Banner>}
    </>
  )
}
