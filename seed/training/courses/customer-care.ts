import { type CoursePlan, choice, lesson, list, quiz, select, short, text, truth } from '../plan.ts'

export const customerCare = (): CoursePlan => ({
  key: 'customer_care',
  title: 'Customer Care',
  about: 'Words that help people come back: asking, listening, and saying what happens next.',
  level: 'beginner',
  isRequired: true,
  isLive: true,
  liveSince: 75,
  modules: [
    {
      key: 'words',
      title: 'Words',
      about: 'What to say, and what to leave unsaid.',
      lessons: [
        {
          title: 'Asking Before Touching',
          about: 'Consent in two seconds, and why it is asked for again with each new hold.',
          minutes: 8,
          type: 'text',
          content: {
            formatting: 'rich_text',
            allowHtml: true,
            trainingLessonContent:
              '<h2>Ask, every time</h2><p>"May I hold your shoulder?" takes two seconds. <em>Wait for the answer.</em></p><blockquote>Consent to one thing is not consent to the next.</blockquote><h3>Say where your hands go</h3><ul><li>Name the place before you touch it.</li><li>Say how long it will take.</li><li>Say that one word is enough to stop.</li></ul>',
            trainingStylesheet: 'blockquote { border-left: 4px solid #0f766e; padding-left: 12px; }',
          },
        },
        text(
          {
            title: 'When Somebody Is Unhappy',
            about: 'Listen to the end, say what you heard, and promise only what is yours to promise.',
            minutes: 8,
          },
          'Listen to the end. Say what you heard. Say what you will do, and by when.',
          'Refunds are decided by support; promise the answer, not the money.',
          '| They say | You say |\n|---|---|\n| "It was not worth it." | "What had you hoped for?" |\n| "You were late." | "Yes, ten minutes. I am sorry. Shall we add them now?" |\n| "It hurts since yesterday." | "Where, and since when? I will write it down and support will call you today." |',
        ),
        lesson(
          'interactive',
          {
            title: 'Four Steps Of A Complaint',
            about: 'Put into order what to do when a customer complains.',
            minutes: 5,
          },
          {
            gameType: 'order_steps',
            difficulty: 'easy',
            instructions: 'What comes first, and what last?',
            gameData: {
              steps: [
                'Listen without interrupting',
                'Repeat what you heard in one sentence',
                'Say what you will do, and by when',
                'Write it into the notes of the session',
              ],
            },
          },
        ),
        quiz(
          {
            title: 'Check: Care',
            about: 'Two short questions about asking and promising.',
            minutes: 6,
            see: ['Asking Before Touching'],
          },
          [
            choice(
              'care-1',
              'A customer asks for a refund. What do you promise?',
              ['The money', 'An answer from support', 'A free session'],
              1,
              'Support decides.',
            ),
            short(
              'care-2',
              'What do you wait for after asking before touching?',
              ['the answer', 'an answer', 'answer', 'consent'],
              'Asking without waiting is not asking.',
            ),
          ],
        ),
      ],
    },
    {
      key: 'privacy',
      title: 'Privacy',
      about: 'What you hear on the table stays there.',
      after: ['words'],
      lessons: [
        text(
          {
            title: 'What To Write Down',
            about: 'Notes that help the next stretcher, and nothing that would embarrass the customer.',
            minutes: 8,
          },
          'A note is read by the next stretcher, by support, and by the customer if they ask for it. Write as if they stood beside you.',
          list(
            'Write what you did, how far it went, and what was agreed for home.',
            'Write what the customer told you about their health only if it changes the work.',
            'No opinions about a person. No pictures, even with consent.',
          ),
        ),
        quiz({ title: 'Check: Privacy', about: 'Two questions about notes and discretion.', minutes: 5 }, [
          truth(
            'privacy-1',
            'A customer may read the notes of their sessions.',
            true,
            'They are about them: write so that they may.',
          ),
          select(
            'privacy-2',
            'What belongs into the notes of a session?',
            ['The range that was reached', 'What you think of their job', 'The exercise for home', 'A picture'],
            [0, 2],
            'What helps the next session, and nothing else.',
          ),
        ]),
      ],
    },
  ],
})
