import { Direction, IntegrationStatus } from '@limber/contract/tech/integrations/integration.ts'
import { z } from 'zod'

const any = z.literal('')

/** URL parameters of Integration events. `event` is the open one, such as `out-12`. */
export const IntegrationSearch = z.object({
  direction: Direction.or(any).catch(''),
  kind: z
    .string()
    .regex(/^([a-z][a-z_]{0,39})?$/)
    .catch(''),
  status: IntegrationStatus.or(any).catch(''),
  q: z.string().max(200).catch(''),
  before: z
    .string()
    .regex(/^(\d{1,16}\.(in|out)\.\d{1,16})?$/)
    .catch(''),
  event: z
    .string()
    .regex(/^((in|out)-[1-9]\d{0,15})?$/)
    .catch(''),
})
export type IntegrationSearch = z.output<typeof IntegrationSearch>

export function readEvent(event: string) {
  const [direction, id] = event.split('-')
  return direction === 'in' || direction === 'out' ? { direction, id: Number(id) } : undefined
}
