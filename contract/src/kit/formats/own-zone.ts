/** The time zone of this machine or browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
