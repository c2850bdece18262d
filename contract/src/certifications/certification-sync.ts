import { z } from 'zod'
import { attachCall, readCalls } from '#kit/resource.ts'
import { Day, Id, Moment } from '#kit/values.ts'

const certifications = { name: 'certifications', scope: 'certifications' } as const

const record = {
  /** The last part of the address of the public page. */
  short_id: z.string(),
  customer: Id,
  /** The stretcher who has it; null when the customer is no stretcher. */
  stretcher: Id.nullable(),
  type_id: Id,
  type: z.string(),
  /** The holder's name, as on the certificate. */
  name: z.string(),
  instructor: z.string(),
  issued_on: Day,
  /** The last day on which it holds. */
  valid_until: Day.nullable(),
  revoked_at: Moment.nullable(),
}

export const certificationCalls = {
  attach: attachCall(certifications),
  ...readCalls({
    ...certifications,
    record,
    shown: {
      short_id: 'K7M2QX',
      customer: 2417,
      stretcher: 4,
      type_id: 2,
      type: 'Assisted stretching, level 1',
      name: 'Sam Okafor',
      instructor: 'Robin Vega',
      issued_on: '2026-11-10',
      valid_until: '2028-11-10',
      revoked_at: null,
    },
  }),
}
