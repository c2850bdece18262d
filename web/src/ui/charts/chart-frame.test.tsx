import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { TrendChart } from './trend-chart.tsx'

const points = [
  { tick: 'Mon', title: 'Mon 9', value: 1284, before: 1134 },
  { tick: 'Tue', title: 'Tue 10', value: 90, before: null },
]
const table = {
  heads: ['Day', 'Events'],
  rows: [
    ['Mon 9', 1284],
    ['=cmd', null],
  ] as const,
}

const show = () =>
  renderScreen(
    <ChartFrame title="Events over time" legend={[{ label: 'This week', series: 1 }]} table={table} file="events">
      <TrendChart label="Events" points={points} valueName="This week" />
    </ChartFrame>,
  )

describe('a chart', () => {
  it('shows its values with the arrow keys', async () => {
    const { user } = await show()
    const plot = await screen.findByRole('slider', { name: /Events/ })
    plot.focus()
    await user.keyboard('{ArrowRight}')
    expect(plot.getAttribute('aria-valuetext')).toBe('Mon 9: 1,284')
    expect(screen.getByText('1,134')).toBeTruthy()
  })

  it('has a table view', async () => {
    const { user } = await show()
    await user.click(screen.getByRole('button', { name: 'Table' }))
    expect(screen.getByRole('cell', { name: '1,284' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Table' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('exports CSV with escaped formulas and a UTF-8 byte order mark', async () => {
    const blobs: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob)
      return 'blob:x'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const { user } = await show()
    await user.click(screen.getByRole('button', { name: 'Export Events over time as CSV' }))
    expect(await blobs[0]?.text()).toBe("\uFEFFDay,Events\r\nMon 9,1284\r\n'=cmd,\r\n")
  })
})
