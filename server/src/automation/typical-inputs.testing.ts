import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const automationInputs = ({ mostFrequent }: InputTools): Inputs => ({
  'GET /api/maintenance/schedules/:name': async () => ({ params: { name: await mostFrequent('schedules', 'name') } }),
  'POST /api/maintenance/schedules/:name/run': async () => ({ params: { name: 'nightly' }, body: {} }),
  'POST /api/maintenance/schedules/:name/pause': async () => ({ params: { name: 'nightly' }, body: { reason: 'x' } }),
  'POST /api/maintenance/schedules/:name/resume': async () => ({
    params: { name: 'nightly' },
    body: { reason: 'x' },
  }),
})
