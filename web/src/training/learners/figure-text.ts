import { formatDuration, formatPercent } from '@limber/contract/kit/formats/numbers.ts'

/** A share from 0 to 1 as whole per cent. */
export const percent = (share: number | null) => (share === null ? '--' : formatPercent(Math.round(share * 100)))

export const seconds = (value: number | null) => formatDuration(value === null ? null : Math.round(value * 1000))
