import { companyDay } from '@limber/contract/kit/company.ts'
import { Tooltip } from '@mantine/core'
import styles from '../charts/figures.module.css'
import { dayText } from './day-text.ts'
import { momentText, readMoment, utcText } from './moment-text.ts'

/**
 * The day of a session by the calendar of the company, as its booking and its pay name it: an evening there is another
 * day for whoever sits further east. The exact UTC instant shows on hover.
 */
export function CompanyDay({ at }: { at: string }) {
  const moment = readMoment(at)
  return (
    <Tooltip label={utcText(at)}>
      <time className={styles.figures} dateTime={at}>
        {moment ? dayText(companyDay(moment)) : momentText(at)}
      </time>
    </Tooltip>
  )
}
