/** Channels of NOTIFY: what changed, for open browsers; and that the outbox has something to carry. */
export const LIVE_CHANNEL = 'limber_live'
export const OUTBOX_CHANNEL = 'limber_outbox'
