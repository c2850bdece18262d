import { DAY, MINUTE } from '@limber/server/platform/clock.ts'
import type { SeedContext } from '../seeder.ts'

const INTERVAL = 5 * MINUTE

/** Health samples of the last day. The current state comes from real probes. */
const usual: Record<string, { status: 'ok' | 'not_connected'; latency: number }> = {
  app: { status: 'ok', latency: 0.2 },
  queue: { status: 'ok', latency: 4 },
  schedules: { status: 'ok', latency: 3 },
  deliveries: { status: 'ok', latency: 2 },
  database: { status: 'ok', latency: 9 },
  replication: { status: 'not_connected', latency: 1 },
  'audit-chain': { status: 'ok', latency: 3 },
  events: { status: 'ok', latency: 2 },
  mail: { status: 'not_connected', latency: 0 },
  texts: { status: 'not_connected', latency: 0 },
  ads: { status: 'not_connected', latency: 0 },
  storage: { status: 'ok', latency: 3 },
}

const incidents: readonly { probe: string; status: 'warning' | 'down'; from: number; to: number }[] = [
  { probe: 'database', status: 'warning', from: 14.2, to: 13.9 },
  { probe: 'queue', status: 'warning', from: 14.1, to: 13.6 },
  { probe: 'storage', status: 'down', from: 6.4, to: 6.2 },
  { probe: 'deliveries', status: 'warning', from: 24, to: 0 },
]

export async function seedHealth({ calendar, random, copy }: SeedContext): Promise<void> {
  const draw = random('health')
  const end = Math.floor(calendar.now.getTime() / INTERVAL) * INTERVAL
  const rows = []
  for (let at = end - DAY + INTERVAL; at <= end; at += INTERVAL) {
    const hours = (calendar.now.getTime() - at) / (60 * MINUTE)
    for (const [probe, { status, latency }] of Object.entries(usual)) {
      const incident = incidents.find((each) => each.probe === probe && hours <= each.from && hours >= each.to)
      rows.push({
        probe,
        at: new Date(at),
        status: incident?.status ?? status,
        latency: status === 'ok' ? Math.round(latency * draw.between(0.7, 1.9) * 10) / 10 : null,
      })
    }
  }
  await copy('health_samples', rows)
}
