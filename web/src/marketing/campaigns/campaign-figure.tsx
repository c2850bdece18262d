import {
  countedFigures,
  exportFigureRows,
  listFigureRows,
  ratioFigures,
} from '@limber/contract/growth/overview/figure.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import type { Campaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { FigureDialog, type FigureSet } from '#ui/figures/figure-dialog.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { campaignsKey } from './campaign.api.ts'

const ofCampaigns = ['activeCampaigns', 'completedCampaigns']

const set: FigureSet = {
  counted: countedFigures,
  ratios: ratioFigures,
  list: listFigureRows,
  file: exportFigureRows,
  key: campaignsKey,
  hasSearch: true,
  text: (_, value) => formatInteger(value ?? 0),
  ratioText: (_, [converted, all]) =>
    typeof converted === 'number' && typeof all === 'number'
      ? formatPercent(ratioOf.campaignRate(converted, all) ?? 0, 1)
      : undefined,
  nameOf: (figure, row) => (
    <Link
      {...(ofCampaigns.includes(figure)
        ? linkTo('/growth/campaigns', { campaign: row.id })
        : linkTo('/growth/conversion', { lead: row.id }))}
    >
      {row.name}
    </Link>
  ),
}

interface Props {
  state: OpenFigure
  campaigns: readonly Campaign[]
}

/** The definition of a number of all campaigns or of one, and the campaigns or leads behind it. */
export default function CampaignFigure({ state, campaigns }: Props) {
  const campaign = campaigns.find(({ id }) => String(id) === state.of)
  return <FigureDialog set={set} query={{ campaignId: state.of }} context={campaign?.name} {...state} />
}
