import type { LiveTopic } from '@limber/contract/kit/live.ts'

/** Channels of NOTIFY: what changed, for open browsers; and that the outbox has something to carry. */
export const LIVE_CHANNEL = 'limber_live'
export const OUTBOX_CHANNEL = 'limber_outbox'

/** The text of a live message, as `LIVE_CHANNEL` carries it. */
export const liveText = (topic: LiveTopic, data: object = {}) => JSON.stringify({ ...data, topic })
