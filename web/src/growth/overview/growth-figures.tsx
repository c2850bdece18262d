import {
  countedFigures,
  exportFigureRows,
  type FigureName,
  listFigureRows,
  ratioFigures,
} from '@limber/contract/growth/overview/figure.ts'
import type { FigureRow } from '@limber/contract/kit/figure.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { CustomerLink } from '#support/public.tsx'
import type { FigureSet } from '#ui/figures/figure-dialog.tsx'
import { ratioText, valueText } from './figure-labels.ts'

const names = (...figures: FigureName[]): readonly string[] => figures
const ofPartners = names('businesses', 'upcomingRenewals', 'noRecentContact')
const ofLeads = names('teamLeads', 'teamConversions', 'leadResponse', 'contactedLeads', 'convertedLeads')

/** Links customers, partners, leads and campaigns to their pages. */
function Name({ figure, row }: { figure: string; row: FigureRow }) {
  if (row.userId !== null) return <CustomerLink id={row.userId}>{row.name}</CustomerLink>
  if (ofPartners.includes(figure)) return <Link {...linkTo('/growth/business', { partner: row.id })}>{row.name}</Link>
  if (ofLeads.includes(figure)) return <Link {...linkTo('/growth/conversion', { lead: row.id })}>{row.name}</Link>
  if (figure === 'managedCampaigns')
    return <Link {...linkTo('/growth/campaigns', { campaign: row.id })}>{row.name}</Link>
  return row.name
}

export const growthFigures: FigureSet = {
  counted: countedFigures,
  ratios: ratioFigures,
  list: listFigureRows,
  file: exportFigureRows,
  key: ['growth'],
  hasSearch: true,
  text: (name, value, isRow) => valueText(name as FigureName, value, isRow),
  ratioText,
  nameOf: (figure, row) => <Name figure={figure} row={row} />,
}
