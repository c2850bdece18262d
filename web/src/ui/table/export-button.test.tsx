import { defineCall } from '@limber/contract/kit/call.ts'
import { exportCall } from '@limber/contract/kit/export.ts'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { renderScreen } from '#platform/testing/testing.tsx'
import { ExportButton } from './export-button.tsx'

const listThings = defineCall({
  method: 'GET',
  path: '/api/things',
  summary: 'List things',
  permission: 'analytics.view',
  query: z.strictObject({ page: z.string().optional(), search: z.string().optional() }),
  reply: z.object({ things: z.array(z.object({ id: z.int() })) }),
})
const exportThings = exportCall(listThings, 'things')

describe('the export button', () => {
  it('links to what the list shows, without its page and empty filters', async () => {
    await renderScreen(
      <ExportButton call={exportThings} query={{ page: '3', limit: '25', search: 'a b', status: '' }} total={4} />,
    )
    const link = screen.getByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe('/api/things/export?search=a+b')
    expect(link.hasAttribute('download')).toBe(true)
  })

  it('is disabled for an empty list', async () => {
    await renderScreen(<ExportButton call={exportThings} total={0} />)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export CSV' }).disabled).toBe(true)
  })
})
