import type { CampaignResult as Result } from '@limber/contract/growth/campaigns/result.ts'
import { formatList } from '@limber/contract/kit/formats/numbers.ts'
import { dayText } from '#ui/format/day-text.ts'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { changeNames, changeText, figuresText } from './campaign-labels.ts'
import styles from './campaigns.module.css'

type Mark = Result['marks'][number]

function MarkRows({ mark }: { mark: Mark }) {
  const { measured, similar } = mark
  return (
    <tbody>
      <tr className={styles.mark}>
        <th scope="rowgroup" colSpan={4}>
          After {mark.afterDays} days
          <span>{measured ? dayText(mark.day) : `measured after ${dayText(mark.day)}`}</span>
        </th>
      </tr>
      {changeNames.map(([name, label]) => (
        <tr key={name}>
          <td>{label}</td>
          <td className={figure}>{changeText(name, mark.expected[name])}</td>
          <td className={figure}>{changeText(name, measured?.[name])}</td>
          <td className={figure}>{changeText(name, similar?.[name])}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** What was expected of a campaign in its place, what was measured, and what similar zones did in the same days. */
export function CampaignResult({ result }: { result: Result }) {
  const { cityName, before, similar, marks } = result
  return (
    <>
      <p className={styles.line}>
        {before
          ? `In the 30 days before the start: ${figuresText(before)}.`
          : 'The figures before the start are stored once it starts.'}
      </p>
      <PlainTable label={`Result in ${cityName}`}>
        <thead>
          <tr>
            <th>Change in {cityName}</th>
            <th className={figure}>Expected</th>
            <th className={figure}>Measured</th>
            <th className={figure}>Similar zones</th>
          </tr>
        </thead>
        {marks.map((mark) => (
          <MarkRows key={mark.afterDays} mark={mark} />
        ))}
      </PlainTable>
      {before && (
        <p className={styles.line}>
          {similar.length === 0
            ? 'No zone is similar enough to compare with.'
            : `Similar zones had about as many users and no campaign of their own: ${formatList(similar)}. Their column is what ${cityName} would have gained by growing like them.`}
        </p>
      )}
    </>
  )
}
