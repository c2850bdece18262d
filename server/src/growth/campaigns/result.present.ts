import {
  type CampaignResult,
  changeFrom,
  changeLike,
  expectedAfter,
  type PlaceCampaign,
  resultDays,
} from '@limber/contract/growth/campaigns/result.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { campaignPhase } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import type { ResultRow } from './result.queries.ts'

export function presentResult(row: ResultRow): CampaignResult {
  const markOf = (days: number) => row.marks.find(({ after_days }) => after_days === days)
  const start = markOf(0)
  return {
    cityName: row.city_name,
    before: start?.figures ?? null,
    similar: row.similar,
    marks: resultDays.map((afterDays) => {
      const mark = markOf(afterDays)
      return {
        afterDays,
        day: addDays(row.start_date, afterDays - 1),
        expected: expectedAfter(row.expected, afterDays),
        measured: start && mark ? changeFrom(start.figures, mark.figures) : null,
        similar: start?.control && mark?.control ? changeLike(start.figures, start.control, mark.control) : null,
      }
    }),
  }
}

export const presentPlaceCampaign = (row: ResultRow, today: string): PlaceCampaign => ({
  id: row.campaign_id,
  name: row.name,
  status: campaignPhase(row, today),
  start_date: row.start_date,
  result: presentResult(row),
})
