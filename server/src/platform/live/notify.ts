import type { LiveTopic } from '@limber/contract/kit/live.ts'

/** NOTIFY channels: changes for open browsers, new outbox messages for couriers, and webhooks for their senders. */
export const LIVE_CHANNEL = 'limber_live'
export const OUTBOX_CHANNEL = 'limber_outbox'
export const WEBHOOK_CHANNEL = 'limber_webhooks'

/** A live message as text for `LIVE_CHANNEL`. */
export const liveText = (topic: LiveTopic, data: object = {}) => JSON.stringify({ ...data, topic })
