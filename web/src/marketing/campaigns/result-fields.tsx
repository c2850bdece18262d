import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { FieldRow, TextField } from '#ui/form/fields.tsx'
import { MoneyField } from '#ui/form/figure-field.tsx'
import { FormContext } from '#ui/form/form-state.ts'
import { NumberField } from '#ui/form/number-field.tsx'
import { placeQuery } from './campaign.api.ts'
import type { Draft } from './campaign-draft.ts'
import { figuresText } from './campaign-labels.ts'
import styles from './campaigns.module.css'

/** The figures of the place today, which the expectation starts from. */
function Today({ city }: { city: string }) {
  const { data } = useQuery(placeQuery(city))
  if (!data) return null
  return (
    <p className={styles.summary}>
      {data.name} in the last 30 days: {figuresText(data.metrics)}.
      {data.zoneId === null && ' It is outside every zone.'}
    </p>
  )
}

/** Where a campaign is measured, and what it is expected to change there. */
export function ResultFields() {
  const form = use(FormContext)
  const draft = form?.values as unknown as Draft
  const city = draft.city_name?.trim() ?? ''
  // Ask once the name is complete, not for every letter.
  const [asked, setAsked] = useState(city)
  return (
    <fieldset className={styles.group} onBlur={() => setAsked(city)}>
      <legend>Result</legend>
      <TextField
        label="Zone or city"
        name="city_name"
        isOptional
        hint="The campaign is measured here, before its start and after 30, 60 and 90 days, against similar zones."
      />
      {asked !== '' && <Today city={asked} />}
      {city !== '' && (
        <fieldset className={styles.group}>
          <legend>Expected change by day 90</legend>
          <FieldRow>
            <NumberField label="Users" name="expected_users" />
            <NumberField label="Active users" name="expected_activeUsers" />
          </FieldRow>
          <FieldRow>
            <NumberField label="Sessions" name="expected_sessions" />
            <MoneyField label="Revenue" name="expected_revenue" />
          </FieldRow>
        </fieldset>
      )}
    </fieldset>
  )
}
