import {
  Audience,
  type NotificationDraft,
  placeholderError,
  sendNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { z } from 'zod'

const { title, body, channel } = sendNotification.body.shape

export const Draft = z
  .object({
    title,
    body,
    channel,
    kind: Audience.shape.kind,
    zoneId: z.int().positive().optional(),
    valueTier: z.enum(['low', 'medium', 'high', 'vip']).optional(),
    when: z.enum(['now', 'later']),
    sendAt: z.string().optional(),
  })
  .superRefine((draft, context) => {
    for (const path of ['title', 'body'] as const) {
      const message = placeholderError(draft[path])
      if (message) context.addIssue({ code: 'custom', path: [path], message })
    }
  })
  .refine(({ when, sendAt }) => when === 'now' || sendAt, { path: ['sendAt'], message: 'is required' })
export type Draft = z.input<typeof Draft>

export const blankDraft: Partial<Draft> = { channel: 'mail', kind: 'all', when: 'now' }

/** A draft as the request body. */
export const bodyOf = ({
  title: words,
  body: text,
  channel: by,
  kind,
  zoneId,
  valueTier,
}: Draft): NotificationDraft => ({
  title: words,
  body: text,
  channel: by,
  audience: { kind, zoneId: zoneId ?? null, valueTier: valueTier ?? null },
})
