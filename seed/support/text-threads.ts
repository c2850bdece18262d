/** A conversation by text message. `c` is the customer, `s` the staff; `{n}` is the customer's first name. */
export type TextThread = readonly (readonly ['c' | 's', string])[]

export const textThreads: readonly TextThread[] = [
  [
    ['s', 'Hi {n}, this is Limber. Your session is tomorrow at 10:00 AM. Reply C to confirm or call us to reschedule.'],
    ['c', 'C'],
    ['s', 'Thank you, {n}. See you tomorrow!'],
  ],
  [
    ['c', 'Hi, running about 10 min late, traffic on the 91. Is that ok?'],
    ['s', 'No problem, {n}. I let your stretcher know. Drive safely.'],
    ['c', 'Thanks so much'],
  ],
  [
    ['c', 'Can I move Thursday to Friday same time?'],
    ['s', 'Friday at the same time is open, {n}. Should I move it?'],
    ['c', 'Yes please!'],
    ['s', 'Done. You will get a new confirmation by email.'],
    ['c', 'perfect, thank you'],
  ],
  [
    ['s', 'Hi {n}, your stretcher is on the way and will be there in about 15 minutes.'],
    ['c', 'Great, gate code is 4410'],
  ],
  [
    ['c', 'Is parking free at the studio on Magnolia?'],
    ['s', 'Yes, behind the building. Enter from the side street.'],
    ['c', '👍'],
  ],
  [
    ['s', 'Hi {n}, how do you feel after your session today? Anything we should know for next time?'],
    ['c', 'Much better, I can move my shoulder again. A little less pressure on the left next time please'],
    ['s', 'I added a note for your next stretcher, {n}. Glad it helped!'],
  ],
  [
    ['c', 'Do my credits expire?'],
    ['s', 'They do not, {n}. Only promotional credits do, after 180 days.'],
    ['c', 'ok good to know'],
  ],
  [
    ['c', 'I was charged twice yesterday??'],
    [
      's',
      'I can see both, {n}. The second is a pending hold and drops off within five days. I will keep an eye on it.',
    ],
    ['c', 'Thanks for the quick reply'],
  ],
  [
    ['s', 'Hi {n}, we missed you today. You still have your credit. Reply with a day that works and I will book it.'],
    ['c', 'So sorry, totally forgot. Monday morning?'],
    ['s', 'Monday at 9:30 AM it is. See you then.'],
  ],
  [
    ['c', 'Can I bring my daughter? She is 16'],
    ['s', 'Yes, if you sign a waiver for her. I just emailed it to you.'],
    ['c', 'Signed it'],
    ['s', 'Got it, thank you {n}.'],
  ],
  [['s', 'Hi {n}, your session is on Saturday at 11:30 AM. Reply C to confirm or call us to reschedule.']],
  [
    ['c', 'What should I wear?'],
    ['s', 'Anything comfortable, no jeans. Socks are fine.'],
  ],
]
