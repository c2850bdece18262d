import { durationText } from '#ui/format/duration-text.ts'

/** A share from 0 to 1 as whole per cent. */
export const percent = (share: number | null) => (share === null ? '--' : `${Math.round(share * 100)}%`)

export const seconds = (value: number | null) => durationText(value === null ? null : Math.round(value * 1000))
