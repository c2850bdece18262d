import type { Random } from '../random.ts'

interface Tone {
  open: readonly string[]
  detail: readonly string[]
  close: readonly string[]
}

// {name} is the stretcher.
const happy: Tone = {
  open: [
    'Walked in stiff and walked out two inches taller.',
    'Best hour of my week.',
    '{name} is the real deal.',
    'Such a good session today.',
    'I did not know my hips could do that.',
    'My shoulders finally let go.',
    'Exactly what I needed after a long week.',
    '{name} remembered everything from last time.',
    'First time trying this and I am hooked.',
    'Came in with a tight lower back, left without it.',
    'Another great session with {name}.',
    'I sit in traffic on the 91 every day and this is what saves my neck.',
    'Booked for my mom and she has not stopped talking about it.',
    'I slept through the night for the first time in weeks.',
    'Worth every penny.',
    'My marathon training would be miserable without {name}.',
    '{name} was on time, friendly and very professional.',
    'I was nervous at first, but {name} put me at ease.',
    'So much better than stretching on my own.',
    'Really impressed.',
    'The knot behind my shoulder blade is gone.',
    'Ten out of ten.',
  ],
  detail: [
    '{name} explained every stretch before starting.',
    'The hamstring work was tough in the best way.',
    'We spent extra time on my hips, which I loved.',
    'The pressure was just right the whole way through.',
    'I picked up two stretches I can do at my desk.',
    '{name} checked in often and never pushed too far.',
    'The hour flew by.',
    'My range of motion is noticeably better.',
    'The table was set up and ready when I got home.',
    'The breathing cues made a real difference.',
    'We worked around my old knee injury with no trouble.',
    'I can turn my head to check my blind spot again.',
    '{name} noticed that my left side is tighter and fixed it.',
    'After a twelve-hour shift at the warehouse, my legs felt new.',
    '{name} had clearly read the notes from last time.',
    'Even my physical therapist noticed the difference.',
    'The calf and ankle work helped my running right away.',
    'My desk shoulders thank you.',
    'Nothing felt rushed.',
    '{name} has the patience of a saint with my tight hips.',
  ],
  close: [
    'Already booked the next one.',
    'See you next week!',
    'Highly recommend.',
    'Thank you, {name}!',
    'Telling everyone at work.',
    'Will be back.',
    'Keep it up.',
    'My husband wants to try it now.',
    'Please never leave.',
    'Five stars without thinking about it.',
    'Buying the ten-pack this time.',
    'Grateful for this service out here in the IE.',
  ],
}

const satisfied: Tone = {
  open: [
    'Good session overall.',
    'Solid, as usual.',
    'Nice work from {name}.',
    'Pretty good.',
    'I feel looser than before.',
    'Good stretch, friendly service.',
    'Happy with it.',
    'A good start.',
    'Better than I expected.',
    'Enjoyed it.',
  ],
  detail: [
    'I would have liked a little more time on my upper back.',
    'Started about ten minutes late but made up for it at the end.',
    'The music was a bit loud for me.',
    'My hips still need work, but we are getting there.',
    'Parking at our building is tricky, so we lost a few minutes.',
    'The pressure was light at first and then just right.',
    'Finding an evening slot was not easy this week.',
    'The room was a little cold.',
    'I wish the 90-minute slots were not always taken.',
    'A different stretcher than usual, but {name} did well.',
  ],
  close: [
    'Will book again.',
    'Looking forward to the next one.',
    'Thanks, {name}.',
    'Good value with the pack.',
    'Almost perfect.',
    'See you in two weeks.',
  ],
}

const mixed: Tone = {
  open: ['It was okay.', 'Mixed feelings about this one.', 'Not bad, not great.', 'Average session.', 'Hit or miss.'],
  detail: [
    'The session felt rushed toward the end.',
    'I had to explain my back problem all over again.',
    '{name} was kind, but the stretches felt generic.',
    'We started fifteen minutes late and still ended on time.',
    'A bit too much pressure on my neck, even after I said so.',
    'I was sore for two days afterward.',
    'The reminder text came after the session had started.',
  ],
  close: ['I may try someone else next time.', 'Hoping the next one is better.', 'Will give it another try.'],
}

const unhappy: Tone = {
  open: [
    'Disappointed.',
    'Not what I paid for.',
    'This was not a good session.',
    'Very frustrating.',
    'I expected more.',
  ],
  detail: [
    'I waited twenty-five minutes and nobody called.',
    'The session was cut short by half and I was charged in full.',
    'I asked twice for less pressure and was ignored.',
    'My lower back hurt more afterward than before.',
    '{name} was on the phone for part of it.',
    'The app showed the wrong time and I nearly missed it.',
    'I asked for a different stretcher and got the same one.',
  ],
  close: [
    'Please call me about a refund.',
    'I want my credit back.',
    'I will not book again.',
    'Someone should follow up.',
  ],
}

const tones: Record<number, Tone> = { 1: unhappy, 2: unhappy, 3: mixed, 4: satisfied, 5: happy }

/** Feedback of a customer that matches the rating. */
export function writeFeedback(random: Random, rating: number, name: string): string {
  const tone = tones[rating] ?? satisfied
  const parts = [
    random.chance(0.85) ? random.pick(tone.open) : '',
    random.chance(0.7) ? random.pick(tone.detail) : '',
    random.chance(0.35) ? random.pick(tone.close) : '',
  ].filter((part) => part !== '')
  const sentences = parts.length > 0 ? parts : [random.pick(tone.detail)]
  return sentences.join(' ').replaceAll('{name}', () => name)
}

export const cancelReasons = [
  'Schedule conflict at work',
  'Feeling sick',
  'Child care fell through',
  'Car trouble',
  'Booked the wrong day',
  'Traveling that week',
  'Stretcher called in sick',
  'Injury, doctor advised rest',
  'Found another time',
] as const
