/** Notes of the staff about leads. */
export const leadNotes: readonly string[] = [
  'Left a voicemail. Will try again tomorrow.',
  'Talked for ten minutes. Sore lower back, sits all day.',
  'Wants a session on a Saturday morning.',
  'Asked for the price of a ten-pack. Sent it by email.',
  'Prefers a stretcher who speaks Spanish.',
  'Running a half marathon in March and looking for recovery sessions.',
  'Lives just outside the Corona zone. Checked: we do go there.',
  'No answer by phone. Sent an email instead.',
  'Tried a session somewhere else and liked it.',
  'Will decide after payday.',
  'Sent the app link. Signed the waiver during the call.',
  'Asked if insurance covers it. It does not.',
  'Partner wants to come too.',
  'Call back after the holidays.',
]

export const lostReasons: readonly { reason: string; weight: number }[] = [
  { reason: 'Too expensive', weight: 34 },
  { reason: 'No time right now', weight: 24 },
  { reason: 'Outside our zones', weight: 16 },
  { reason: 'Never responded', weight: 15 },
  { reason: 'Chose another provider', weight: 8 },
  { reason: 'Wrong number or address', weight: 3 },
]
