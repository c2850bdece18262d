import { type CoursePlan, choice, lesson, list, quiz, select, short, text, truth } from '../plan.ts'

export const customerCare = (): CoursePlan => ({
  key: 'customer_care',
  title: 'Customer Care',
  about: 'How to talk so that people come back: ask, listen, and say what happens next.',
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
          about: 'How to ask for consent in two seconds, and why you ask again before each new hold.',
          minutes: 8,
          type: 'text',
          content: {
            formatting: 'rich_text',
            allowHtml: true,
            trainingLessonContent:
              '<h2>Ask, every time</h2><p>"May I hold your shoulder?" takes two seconds. <em>Wait for the answer.</em></p><blockquote>Consent to one thing is not consent to the next.</blockquote><h3>Say where your hands will go</h3><ul><li>Name the body part before you touch it.</li><li>Say how long it will take.</li><li>Explain that one word is enough to stop.</li></ul>',
            trainingStylesheet: 'blockquote { border-left: 4px solid #0f766e; padding-left: 12px; }',
          },
        },
        text(
          {
            title: 'When Someone Is Unhappy',
            about: 'Hear the customer out, repeat what you heard, and promise only what you can deliver.',
            minutes: 8,
          },
          'Hear the customer out. Repeat what you heard. Say what you will do and by when.',
          'Support decides on refunds. Promise an answer, not the money.',
          '| They say | You say |\n|---|---|\n| "It was not worth it." | "What were you hoping for?" |\n| "You were late." | "Yes, ten minutes. I am sorry. Can we add them now?" |\n| "It has been hurting since yesterday." | "Where does it hurt? I will write it down, and support will call you today." |',
        ),
        lesson(
          'interactive',
          {
            title: 'Four Steps Of A Complaint',
            about: 'Put the steps in order: what to do when a customer complains.',
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
                'Write it in the session notes',
              ],
            },
          },
        ),
        quiz(
          {
            title: 'Check: Care',
            about: 'Two short questions about consent and promises.',
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
              'Asking only counts if you wait for the answer.',
            ),
          ],
        ),
      ],
    },
    {
      key: 'privacy',
      title: 'Privacy',
      about: 'What customers tell you stays private.',
      after: ['words'],
      lessons: [
        text(
          {
            title: 'What To Write Down',
            about: 'Write notes that help the next stretcher and would not embarrass the customer.',
            minutes: 8,
          },
          'The next stretcher and support read your notes. Customers can ask to read them too. Write as if they were standing next to you.',
          list(
            'Write what you did, the range you reached, and the exercise for home.',
            'Write down health details only if they affect the session.',
            'No opinions about the customer. No photos, even with consent.',
          ),
        ),
        quiz({ title: 'Check: Privacy', about: 'Two questions about notes and discretion.', minutes: 5 }, [
          truth(
            'privacy-1',
            'Customers may read the notes of their own sessions.',
            true,
            'The notes are about them. Write accordingly.',
          ),
          select(
            'privacy-2',
            'What belongs in the session notes?',
            ['The range you reached', 'What you think of their job', 'The exercise for home', 'A photo'],
            [0, 2],
            'Only what helps the next session.',
          ),
        ]),
      ],
    },
  ],
})
