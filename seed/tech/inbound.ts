import { MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { Random } from '../random.ts'
import type { SeedContext } from '../seeder.ts'

interface Kind {
  kind: string
  about: string
  fields(draw: Random, index: number): { name: string; value: string }[]
  withheld: string[]
}

const kinds: readonly Kind[] = [
  {
    kind: 'text_message',
    about: 'A text message from a customer',
    fields: (draw, index) => [
      { name: 'From', value: `•••${draw.integer(10, 99)}` },
      { name: 'MessageSid', value: `SM${(4_000 + index).toString(16)}` },
      { name: 'Body', value: `${draw.integer(8, 140)} characters` },
    ],
    withheld: ['AccountSid', 'FromCity'],
  },
  {
    kind: 'lead',
    about: 'A lead from a form',
    fields: (draw, index) => [
      { name: 'leadgen_id', value: String(70_000_000 + index * 13) },
      { name: 'form_id', value: draw.pick(['118204', '118977']) },
    ],
    withheld: ['field_data'],
  },
]

/** Two days of inbound events. Most are done, a few failed or were rejected. */
export async function seedInbound({ calendar, random, copy }: SeedContext): Promise<void> {
  const draw = random('inbound')
  const { now } = calendar
  const row = (kind: Kind, index: number, ago: number) => {
    const at = shift(now, -ago * MINUTE)
    return {
      kind: kind.kind,
      key: `sample-${index}`,
      about: kind.about,
      is_signed: true,
      status: 'done',
      fields: JSON.stringify(kind.fields(draw, index)),
      withheld: `{${kind.withheld.join(',')}}`,
      error: null as string | null,
      times: draw.chance(0.1) ? 2 : 1,
      received_at: at,
      last_received_at: at,
      settled_at: shift(at, draw.integer(40, 900)),
      request_id: null,
      address: `198.51.100.${draw.integer(2, 60)}`,
    }
  }
  const rows = Array.from({ length: 34 }, (_, index) =>
    row(draw.pick(kinds), index, 9 + index * 82 + draw.integer(0, 60)),
  )
  const [text, lead] = kinds
  if (!text || !lead) return
  rows.push({
    ...row(lead, 90, 331),
    status: 'failed',
    error: 'Form 119340 does not belong to a campaign.',
    times: 3,
  })
  rows.push({
    ...row(text, 91, 700),
    key: 'not-let-in-sample',
    is_signed: false,
    status: 'rejected',
    error: 'The signature or the key is invalid.',
    fields: '[]',
    withheld: '{}',
    times: 14,
  })
  rows.push({
    ...row(text, 92, 1_020),
    kind: 'usage_events',
    about: 'Rejected usage events',
    status: 'failed',
    error: 'createdAt: is more than 7 days in the past',
    fields: JSON.stringify([
      { name: 'brought', value: '250' },
      { name: 'turnedAway', value: '3' },
    ]),
    withheld: '{}',
    times: 2,
  })
  await copy(
    'inbound_events',
    rows.toSorted((a, b) => a.received_at.getTime() - b.received_at.getTime()),
  )
}
