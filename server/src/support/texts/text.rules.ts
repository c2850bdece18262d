import type { TextState } from '@limber/contract/support/texts/message.ts'
import { z } from 'zod'

/** The standard opt-out and opt-in keywords of carriers. */
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'])
const START_WORDS = new Set(['START', 'UNSTOP', 'YES'])

/** Whether a message is an opt-out or opt-in; the keyword must be the whole message. */
export function consentRequest(body: string): 'stop' | 'start' | undefined {
  const word = body.trim().toUpperCase()
  return STOP_WORDS.has(word) ? 'stop' : START_WORDS.has(word) ? 'start' : undefined
}

const stateOrder: readonly TextState[] = ['waiting', 'sent', 'failed', 'delivered']

/** The states that a report may replace: reports can arrive out of order. */
export const earlierStates = (state: TextState): TextState[] =>
  stateOrder.slice(0, Math.max(0, stateOrder.indexOf(state)))

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
