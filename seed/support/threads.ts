/** What customers write about, and how such a conversation goes; `{n}` is the customer's first name. */
export interface Topic {
  subjects: readonly string[]
  priority: readonly [low: number, medium: number, high: number]
  /** In turn: the customer, the staff, the customer … */
  turns: readonly (readonly string[])[]
}

export const topics: readonly Topic[] = [
  {
    subjects: ['My session was cut short', 'Only 40 of 60 minutes', 'Session ended early today'],
    priority: [1, 5, 3],
    turns: [
      [
        'Hi, my session ended about twenty minutes early today. I paid for the full hour. Can you look into it?',
        'The stretcher had to leave before the hour was over. I would like part of it back, please.',
      ],
      [
        'Hello {n}, I am sorry about that. I have asked the stretcher what happened and will come back to you today.',
        'Hi {n}, thank you for telling us. I have put one credit back on your account for the lost time.',
      ],
      ['Thanks, that is fair. See you next week!', 'I see the credit, thank you.', 'Any news on this?'],
      ['You are welcome, {n}. Enjoy your next session.', 'All settled. Write any time.'],
    ],
  },
  {
    subjects: ['Charged twice', 'Two payments for one booking', 'Double charge on my card'],
    priority: [0, 3, 6],
    turns: [
      [
        'My card shows two charges for the same session. One of them must be wrong.',
        'I booked once and paid twice, both on Monday. Please refund one.',
      ],
      [
        'Hi {n}, I can see both. The second was only reserved and falls away within five days; I will watch it.',
        'Hello {n}, you are right. I have refunded the second payment; it takes three to five days to show.',
      ],
      ['It is gone now, thank you.', 'Still there after a week. What now?'],
      [
        'Glad to hear it, {n}.',
        'I am sorry, {n}. I have sent the reference of the refund to your bank and attached it here.',
      ],
    ],
  },
  {
    subjects: ['Moving my booking', 'Can I come an hour later?', 'Reschedule Thursday'],
    priority: [6, 4, 0],
    turns: [
      [
        'Something came up at work. Could we move my session from Thursday to Friday, same time?',
        'Is it possible to start an hour later? The app does not let me change it any more.',
      ],
      [
        'Hi {n}, Friday at the same time is free. I have moved it for you.',
        'Hello {n}, done. You will get a new confirmation in a moment.',
      ],
      ['Perfect, thank you!', 'Great, thanks for the quick answer.'],
    ],
  },
  {
    subjects: ['Cannot sign in', 'Code never arrives', 'Locked out of my account'],
    priority: [1, 5, 4],
    turns: [
      [
        'I do not get the code by mail, and I looked in spam too.',
        'The app says my address is unknown, but I have booked with it before.',
      ],
      [
        'Hi {n}, your address had a typo in our records. I have corrected it and sent the mail again.',
        'Hello {n}, could you tell me which address you used for your first booking?',
      ],
      ['It works now, thank you.', 'It was the one I am writing from.'],
      ['Great. Have a good day, {n}.', 'Then the two accounts are yours; I have merged them. Please try again.'],
    ],
  },
  {
    subjects: ['Pain after the session', 'Sore shoulder', 'Question about pressure'],
    priority: [0, 2, 5],
    turns: [
      [
        'My shoulder has been sore for two days after the last session. Is that normal?',
        'The pressure was more than I can take. How do I tell the next stretcher before we begin?',
      ],
      [
        'Hi {n}, a day of soreness is common, two days is worth a look. If it does not ease by tomorrow please see a doctor, and tell us. I have noted it for your stretcher.',
        'Hello {n}, thank you for saying so. I have added a note that every stretcher sees before the session.',
      ],
      ['It is much better today.', 'Thank you, that helps.'],
    ],
  },
  {
    subjects: ['Gift card', 'A session as a present', 'Do you sell vouchers?'],
    priority: [7, 3, 0],
    turns: [
      ['I would like to give my mother a session. Do you have gift cards?', 'How can I buy credits for somebody else?'],
      [
        'Hi {n}, what a nice idea. Buy a pack on your account and write to us with her address: we move the credits over.',
        'Hello {n}, tell us the address of the person and how many, and we set it up today.',
      ],
      ['Thank you, I will do that.', 'Her address is the one in copy.'],
    ],
  },
  {
    subjects: ['Stretcher was late', 'Waited twenty minutes', 'Nobody came'],
    priority: [0, 4, 5],
    turns: [
      ['I waited twenty minutes and had to leave. Very disappointed.', 'Nobody came to my 9 a.m. session today.'],
      [
        'Hi {n}, I am very sorry. The stretcher was in an accident on the 91 and is fine. Your credit is back, with one on top.',
        'Hello {n}, that must not happen. I have returned the credit and asked the team lead to call you.',
      ],
      ['Thank you for taking care of it.', 'Nobody has called yet.'],
      ['Of course, {n}.', 'You are right to ask, {n}. I will call you myself this afternoon.'],
    ],
  },
  {
    subjects: ['Do you come to Beaumont?', 'Is my address in your area?', 'Sessions at my office'],
    priority: [6, 3, 0],
    turns: [
      [
        'I moved and the app says I am outside the service area. Will you come here soon?',
        'Can you do sessions at our office for six people?',
      ],
      [
        'Hi {n}, not yet, but we are opening new towns each quarter. I have added you to the list for yours.',
        'Hello {n}, yes, with prepaid blocks. I have passed your address to our partner team.',
      ],
      ['Good to know, thanks.', 'They called already, great service.'],
    ],
  },
]

export const staffNotes = [
  'Called back, no answer. Try again after 4 p.m.',
  'Second complaint about the same stretcher this month; told the team lead.',
  'Refund agreed with finance.',
  'Prefers to be written to, not called.',
  'Checked the log: the session was ended in the app at 10:41.',
]

export const userNotes = [
  'Prefers female stretchers.',
  'Recovering from knee surgery, cleared by the doctor in spring.',
  'Gate code 4410, dog is friendly.',
  'Asked for invoices with the company name.',
  'Very loyal, brings friends along. Be generous.',
  'Speaks Spanish at home, happy with either.',
  'Cancelled twice at short notice; explained the rule kindly.',
  'Works nights: do not call before noon.',
]
