import type { Lockable } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  AdObjective,
  adObjectiveLabels,
  CampaignSource,
  campaignSourceLabels,
  countries,
  GoalType,
  LeadFormField,
  languages,
  MAX_AGE,
  MIN_AGE,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { MoneyField } from '#ui/form/figure-field.tsx'
import { useField } from '#ui/form/form-state.ts'
import { NumberField } from '#ui/form/number-field.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { questionText } from '../leads/lead-labels.ts'
import { audienceOf, type Draft, type GoalRow, hasForm, isAd, newGoal } from './campaign-draft.ts'
import { audienceText } from './campaign-labels.ts'
import styles from './campaigns.module.css'
import { QuestionsField } from './questions-field.tsx'

interface ListProps {
  label: string
  name: string
  options: readonly { value: string; label: string }[]
  isLocked?: boolean
}

const ON_META_HINT = 'Already on Meta, so it can no longer change.'

function CheckList({ label, name, options, isLocked = false }: ListProps) {
  const { value, error, set } = useField<readonly string[]>(name, label, [])
  return (
    <fieldset className={styles.group} disabled={isLocked}>
      <legend>{label}</legend>
      <div className={styles.checks}>
        {options.map((one) => (
          <Checkbox
            key={one.value}
            label={one.label}
            disabled={isLocked}
            checked={value.includes(one.value)}
            onChange={(event) =>
              set(event.currentTarget.checked ? [...value, one.value] : value.filter((chosen) => chosen !== one.value))
            }
          />
        ))}
      </div>
      <ProblemLine>{error}</ProblemLine>
    </fieldset>
  )
}

/** Adds tags one by one. A tag must start with '@'. */
function TagsField() {
  const { value: tags, set } = useField<readonly string[]>('tags', 'Tagged entities', [])
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = () => {
    const tag = text.trim()
    if (!/^@\S+$/.test(tag)) return setProblem("A tag must start with '@' and contain no spaces.")
    set([...new Set([...tags, tag])])
    setText('')
    setProblem(undefined)
  }
  return (
    <div className={styles.group}>
      <div className={styles.row}>
        <TextInput
          label="Tagged entities"
          placeholder="@account"
          maxLength={100}
          value={text}
          error={problem !== undefined}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
          // Otherwise a typed tag that was not added would be lost silently.
          onBlur={() => text.trim() !== '' && add()}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            add()
          }}
        />
        <Button variant="default" onClick={add}>
          Add tag
        </Button>
      </div>
      <ProblemLine>{problem}</ProblemLine>
      {tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              {tag}
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${tag}`}
                onClick={() => set(tags.filter((one) => one !== tag))}
              >
                <Icon of={IconX} size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function GoalsField() {
  const { value: rows, error, set } = useField<readonly GoalRow[]>('goals', 'Goals', [])
  const change = (key: number, over: Partial<GoalRow>) =>
    set(rows.map((row) => (row.key === key ? { ...row, ...over } : row)))
  return (
    <fieldset className={styles.group}>
      <legend>Goals</legend>
      {rows.map(({ key, type, target, custom }, place) => (
        <div key={key} className={styles.row}>
          <NativeSelect
            aria-label={`Type of goal ${place + 1}`}
            data={[...GoalType.options]}
            value={type}
            onChange={(event) => change(key, { type: GoalType.parse(event.currentTarget.value) })}
          />
          {type === 'Custom' ? (
            <TextInput
              aria-label={`Description of goal ${place + 1}`}
              placeholder="Describe the goal"
              maxLength={200}
              value={custom ?? ''}
              onChange={(event) => change(key, { custom: event.currentTarget.value })}
            />
          ) : (
            <NumberInput
              aria-label={`Target of goal ${place + 1}`}
              placeholder="Target"
              min={1}
              allowDecimal={false}
              value={target ?? ''}
              onChange={(next) => change(key, { target: next === '' ? undefined : Number(next) })}
            />
          )}
          <Button
            variant="default"
            aria-label={`Remove goal ${place + 1}`}
            onClick={() => set(rows.filter((row) => row.key !== key))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button size="xs" variant="default" onClick={() => set([...rows, newGoal()])}>
          Add goal
        </Button>
      </div>
      <ProblemLine>{error}</ProblemLine>
    </fieldset>
  )
}

const sources = CampaignSource.options.map((value) => ({ value, label: campaignSourceLabels[value] }))
const objectives = AdObjective.options.map((value) => ({ value, label: adObjectiveLabels[value] }))
const places = [
  { value: 'countries', label: 'Countries' },
  { value: 'regions', label: 'Regions' },
  { value: 'cities', label: 'Cities' },
  { value: 'radius', label: 'Around a city' },
]
const genders = [
  { value: 'ALL', label: 'All' },
  { value: 'MALE', label: 'Male' },
  { value: 'FEMALE', label: 'Female' },
]
const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

function AudienceFields({ draft, isLocked }: { draft: Draft; isLocked: boolean }) {
  const { location } = draft
  const summary = useId()
  return (
    <fieldset className={styles.group} aria-describedby={summary} disabled={isLocked}>
      <legend>Audience</legend>
      <FieldRow>
        <NumberField label="Minimum age" name="age_min" min={MIN_AGE} max={MAX_AGE} />
        <NumberField label="Maximum age" name="age_max" min={MIN_AGE} max={MAX_AGE} />
        <ChoiceField label="Gender" name="gender" options={genders} />
      </FieldRow>
      <ChoiceField label="Location type" name="location" options={places} />
      <CheckList
        label={location === 'countries' ? 'Countries' : 'Country (only the first selected one is used)'}
        name="countries"
        options={asOptions(countries)}
        isLocked={isLocked}
      />
      {location === 'regions' && <TextField label="Regions" name="regions" placeholder="California, Nevada" />}
      {location === 'cities' && <TextField label="Cities" name="cities" placeholder="Riverside, Redlands" />}
      {location === 'radius' && (
        <FieldRow>
          <TextField label="City" name="radius_city" placeholder="Riverside" />
          <NumberField label="Radius (miles)" name="radius" min={1} decimals={1} />
        </FieldRow>
      )}
      <CheckList label="Languages" name="languages" options={asOptions(languages)} isLocked={isLocked} />
      <TextField label="Interests" name="interests" placeholder="Stretching, Wellness" isOptional />
      <p className={styles.summary} id={summary}>
        {audienceText(audienceOf(draft))}
        {isLocked && ` ${ON_META_HINT}`}
      </p>
    </fieldset>
  )
}

interface StepProps {
  draft: Draft
  locked: readonly Lockable[]
}

const lock = (locked: readonly Lockable[], name: Lockable) =>
  locked.includes(name) ? { isDisabled: true, hint: ON_META_HINT } : {}

/** Which campaign it is, and who sees it. */
export function AudienceStep({ draft, locked, children }: StepProps & { children?: ReactNode }) {
  return (
    <>
      <TextField label="Name" name="name" />
      <FieldRow>
        <ChoiceField label="Source" name="source" options={sources} {...lock(locked, 'source')} />
        {isAd(draft) && (
          <ChoiceField
            label="Meta ad objective"
            name="objective"
            options={objectives}
            {...lock(locked, 'meta_ad_objective')}
          />
        )}
      </FieldRow>
      {children}
      <AudienceFields draft={draft} isLocked={locked.includes('target_audience')} />
    </>
  )
}

/** What people see: the ad, and the form behind it. */
export function AdStep({ draft, locked, children }: StepProps & { children?: ReactNode }) {
  return (
    <>
      <AreaField label="Ad message" name="ad_message" rows={3} isOptional {...lock(locked, 'ad_message')} />
      {children}
      {isAd(draft) && (
        <>
          <TextField
            label="Link description"
            name="link_description"
            isOptional
            {...lock(locked, 'link_description')}
          />
          <TagsField />
        </>
      )}
      {hasForm(draft) && (
        <>
          <CheckList
            label="Lead form fields"
            name="form_fields"
            options={LeadFormField.options.map((value) => ({ value, label: questionText(value) }))}
            isLocked={locked.includes('lead_form_fields')}
          />
          <QuestionsField isLocked={locked.includes('custom_questions')} />
        </>
      )}
    </>
  )
}

/** What it costs, when it runs, and what it is for. */
export function BudgetStep({ locked }: Pick<StepProps, 'locked'>) {
  return (
    <>
      <MoneyField label="Daily budget" name="budget" />
      <FieldRow>
        <DayField label="Start date" name="start_date" {...lock(locked, 'start_date')} />
        <DayField label="End date" name="end_date" hint="Leave empty for an ongoing campaign." />
      </FieldRow>
      <GoalsField />
      <AreaField label="Notes" name="notes" rows={2} isOptional />
    </>
  )
}
