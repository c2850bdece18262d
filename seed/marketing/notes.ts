/** What the staff write beside a lead. */
export const leadNotes: readonly string[] = [
  'Left a voicemail, will try again tomorrow.',
  'Spoke for ten minutes: sore lower back, sits all day.',
  'Wants a session on a Saturday morning.',
  'Asked for prices of a pack of ten; sent by mail.',
  'Prefers a stretcher who speaks Spanish.',
  'Runs the half marathon in March and looks for recovery.',
  'Lives just outside of the Corona zone; checked, we do go there.',
  'Number rings but nobody answers. Wrote a mail instead.',
  'Had a session elsewhere and liked it.',
  'Will decide after payday.',
  'Sent the link to the app, signed the waiver while we talked.',
  'Asked whether it is covered by the insurance. It is not.',
  'Partner wants to come as well.',
  'Call again after the holidays.',
]

export const lostReasons: readonly { reason: string; weight: number }[] = [
  { reason: 'Too expensive', weight: 34 },
  { reason: 'No time at the moment', weight: 24 },
  { reason: 'Outside of our zones', weight: 16 },
  { reason: 'Never answered', weight: 15 },
  { reason: 'Chose somebody else', weight: 8 },
  { reason: 'Wrong number or address', weight: 3 },
]
