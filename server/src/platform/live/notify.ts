import type { LiveTopic } from '@limber/contract/kit/live.ts'

/** NOTIFY channels: changes for open browsers, and new outbox messages for couriers. */
export const LIVE_CHANNEL = 'limber_live'
export const OUTBOX_CHANNEL = 'limber_outbox'

/** A live message as text for `LIVE_CHANNEL`. */
export const liveText = (topic: LiveTopic, data: object = {}) => JSON.stringify({ ...data, topic })
