import type { TextState } from '@limber/contract/support/texts/message.ts'
import { z } from 'zod'

/** The standard opt-out and opt-in keywords of carriers. */
const STOP = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'])
const START = new Set(['START', 'UNSTOP', 'YES'])

/** Whether a message is an opt-out or opt-in; the keyword must be the whole message. */
export function askedFor(body: string): 'stop' | 'start' | undefined {
  const word = body.trim().toUpperCase()
  return STOP.has(word) ? 'stop' : START.has(word) ? 'start' : undefined
}

const order: readonly TextState[] = ['waiting', 'sent', 'failed', 'delivered']

/** The states that a report may replace: reports can arrive out of order. */
export const earlierStates = (state: TextState): TextState[] => order.slice(0, Math.max(0, order.indexOf(state)))

const number = z.string().min(1).max(40)

/** An incoming message in Twilio's webhook. */
export const InboundText = z.object({
  MessageSid: z.string().regex(/^[A-Z]{2}[0-9a-zA-Z]{10,64}$/),
  From: number,
  To: number,
  Body: z
    .string()
    .max(5_000)
    .default('')
    .transform((text) => text.replaceAll('\0', '')),
  NumMedia: z
    .string()
    .regex(/^\d{1,2}$/)
    .default('0')
    .transform(Number),
})

/** A delivery state in Twilio's status callback. */
export const TextReport = z.object({
  MessageSid: InboundText.shape.MessageSid,
  MessageStatus: z.string().min(1).max(30),
  ErrorCode: z
    .string()
    .regex(/^\d{0,6}$/)
    .default('')
    .transform((text) => (text === '' ? null : Number(text))),
})

/** Replaces a number after its owner was erased. */
export const ERASED_NUMBER = 'erased'
