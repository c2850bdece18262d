import type { TicketKind } from '@limber/contract/support/tickets/ticket.ts'

/** A topic of tickets with a sample conversation. `{n}` is the customer's first name. */
export interface Topic {
  kind: TicketKind
  subjects: readonly string[]
  priority: readonly [low: number, medium: number, high: number]
  /** Alternating: customer, staff, customer … */
  turns: readonly (readonly string[])[]
}

export const topics: readonly Topic[] = [
  {
    kind: 'complaint',
    subjects: ['My session was cut short', 'Only 40 of 60 minutes', 'Session ended early today'],
    priority: [1, 5, 3],
    turns: [
      [
        'Hi, my session ended about twenty minutes early today. I paid for the full hour. Can you look into it?',
        'The stretcher had to leave before the hour was over. I would like a partial refund, please.',
      ],
      [
        'Hello {n}, I am sorry about that. I asked the stretcher what happened and will get back to you today.',
        'Hi {n}, thank you for telling us. I added one credit to your account for the lost time.',
      ],
      ['Thanks, that is fair. See you next week!', 'I see the credit, thank you.', 'Any news on this?'],
      ['You are welcome, {n}. Enjoy your next session.', 'You are all set. Reply any time.'],
    ],
  },
  {
    kind: 'refund',
    subjects: ['Charged twice', 'Two payments for one booking', 'Double charge on my card'],
    priority: [0, 3, 6],
    turns: [
      [
        'My card shows two charges for the same session. One of them must be a mistake.',
        'I booked once and was charged twice, both on Monday. Please refund one.',
      ],
      [
        'Hi {n}, I can see both. The second is a pending hold and drops off within five days. I will keep an eye on it.',
        'Hello {n}, you are right. I refunded the second payment. It takes three to five business days to show up.',
      ],
      ['It is gone now, thank you.', 'Still there after a week. What now?'],
      ['Glad to hear it, {n}.', 'I am sorry, {n}. I sent the refund reference to your bank and attached it here.'],
    ],
  },
  {
    kind: 'booking',
    subjects: ['Moving my booking', 'Can I come an hour later?', 'Reschedule Thursday'],
    priority: [6, 4, 0],
    turns: [
      [
        'Something came up at work. Could we move my session from Thursday to Friday, same time?',
        'Is it possible to start an hour later? The app does not let me change it anymore.',
      ],
      [
        'Hi {n}, Friday at the same time is open. I moved it for you.',
        'Hello {n}, done. You will get a new confirmation in a moment.',
      ],
      ['Perfect, thank you!', 'Great, thanks for the quick reply.'],
    ],
  },
  {
    kind: 'question',
    subjects: ['Cannot sign in', 'Code never arrives', 'Locked out of my account'],
    priority: [1, 5, 4],
    turns: [
      [
        'I am not getting the code by email, and I checked my spam folder too.',
        'The app says it does not know my email address, but I have booked with it before.',
      ],
      [
        'Hi {n}, your email address had a typo in our records. I fixed it and sent the code again.',
        'Hello {n}, could you tell me which email address you used for your first booking?',
      ],
      ['It works now, thank you.', 'It was the one I am writing from.'],
      ['Great. Have a good day, {n}.', 'Thanks. Both accounts are yours, so I merged them. Please try again.'],
    ],
  },
  {
    kind: 'complaint',
    subjects: ['Pain after the session', 'Sore shoulder', 'Question about pressure'],
    priority: [0, 2, 5],
    turns: [
      [
        'My shoulder has been sore for two days after the last session. Is that normal?',
        'The pressure was too much for me. How do I tell the next stretcher before we start?',
      ],
      [
        'Hi {n}, a day of soreness is common. Two days is worth checking. If it is not better by tomorrow, please see a doctor and let us know. I added a note for your stretcher.',
        'Hello {n}, thank you for telling us. I added a note that every stretcher sees before the session.',
      ],
      ['It is much better today.', 'Thank you, that helps.'],
    ],
  },
  {
    kind: 'question',
    subjects: ['Gift card', 'A session as a gift', 'Do you sell gift cards?'],
    priority: [7, 3, 0],
    turns: [
      ['I would like to give my mother a session. Do you have gift cards?', 'How can I buy credits for someone else?'],
      [
        'Hi {n}, what a nice idea. Buy a pack in your account and send us her email address. We will transfer the credits.',
        'Hello {n}, send us the email address of the person and the number of credits. We will set it up today.',
      ],
      ['Thank you, I will do that.', 'Her email address is on copy.'],
    ],
  },
  {
    kind: 'complaint',
    subjects: ['Stretcher was late', 'Waited twenty minutes', 'No one came'],
    priority: [0, 4, 5],
    turns: [
      ['I waited twenty minutes and had to leave. Very disappointed.', 'No one came to my 9 AM session today.'],
      [
        'Hi {n}, I am very sorry. The stretcher was in an accident on the 91 and is fine. I returned your credit and added one more.',
        'Hello {n}, that should not have happened. I returned the credit and asked the team lead to call you.',
      ],
      ['Thank you for taking care of it.', 'No one has called yet.'],
      ['Of course, {n}.', 'I am sorry about that, {n}. I will call you myself this afternoon.'],
    ],
  },
  {
    kind: 'question',
    subjects: ['Do you come to Beaumont?', 'Is my address in your area?', 'Sessions at my office'],
    priority: [6, 3, 0],
    turns: [
      [
        'I moved and the app says I am outside your service area. Will you come here soon?',
        'Can you do sessions at our office for six people?',
      ],
      [
        'Hi {n}, not yet, but we open new cities every quarter. I added you to the waitlist for yours.',
        'Hello {n}, yes, with prepaid blocks. I passed your contact details to our partner team.',
      ],
      ['Good to know, thanks.', 'They already called. Great service.'],
    ],
  },
]

export const staffNotes = [
  'Called back, no answer. Try again after 4 PM.',
  'Second complaint about the same stretcher this month. Told the team lead.',
  'Refund approved by finance.',
  'Prefers email over phone calls.',
  'Checked the log: the session ended in the app at 10:41 AM.',
]

export const userNotes = [
  'Prefers female stretchers.',
  'Recovering from knee surgery. Cleared by a doctor in the spring.',
  'Gate code 4410, dog is friendly.',
  'Asked for invoices with the company name.',
  'Very loyal and refers friends. Be generous.',
  'Speaks Spanish at home, fine with English too.',
  'Canceled twice on short notice. Explained the policy.',
  'Works nights. Do not call before noon.',
]
