import { type CoursePlan, choice, quiz, short, text } from '../plan.ts'

export const customerCare = (): CoursePlan => ({
  key: 'customer_care',
  title: 'Customer Care',
  about: 'Words that help people come back.',
  level: 'beginner',
  hours: 1.5,
  isRequired: true,
  isLive: true,
  modules: [
    {
      key: 'words',
      title: 'Words',
      about: 'What to say, and what to leave unsaid.',
      lessons: [
        {
          title: 'Asking Before Touching',
          type: 'text',
          minutes: 6,
          content: {
            formatting: 'rich_text',
            allowHtml: true,
            trainingLessonContent:
              '<h2>Ask, every time</h2><p>"May I hold your shoulder?" takes two seconds. <em>Wait for the answer.</em></p><blockquote>Consent to one thing is not consent to the next.</blockquote>',
            trainingStylesheet: 'blockquote { border-left: 4px solid #0f766e; padding-left: 12px; }',
          },
        },
        text(
          'When Somebody Is Unhappy',
          6,
          '# When somebody is unhappy\n\nListen to the end. Say what you heard. Say what you will do, and by when.\n\nRefunds are decided by support; promise the answer, not the money.',
        ),
        quiz('Check: Care', 6, [
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
        ]),
      ],
    },
  ],
})
