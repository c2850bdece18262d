import { type GrowthRange, growthRanges } from '@limber/contract/growth/values.ts'
import { SegmentedControl } from '@mantine/core'

interface Props {
  value: GrowthRange
  onChange: (range: GrowthRange) => void
  /** The label of each range. */
  words: Record<GrowthRange, string>
}

/** Selects 7, 30 or 90 days. */
export function RangeControl({ value, onChange, words }: Props) {
  return (
    <SegmentedControl
      aria-label="Range"
      data={growthRanges.map((range) => ({ value: range, label: words[range] }))}
      value={value}
      onChange={(range) => onChange(range as GrowthRange)}
    />
  )
}
