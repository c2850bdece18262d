import { themeTemplates } from '@limber/contract/training/theme.ts'
import { type CoursePlan, choice, type FileAddress, picture, quiz, select, text, truth } from '../plan.ts'

export const safetyFirst = (file: FileAddress): CoursePlan => ({
  key: 'safety_first',
  title: 'Safety First',
  about: 'When to go on, when to stop, and when not to begin.',
  level: 'beginner',
  hours: 2,
  isRequired: true,
  isLive: true,
  theme: themeTemplates.Corporate,
  modules: [
    {
      key: 'before_the_session',
      title: 'Before The Session',
      about: 'Questions that take two minutes and save a week.',
      lessons: [
        text(
          'Reasons Not To Begin',
          9,
          '# Reasons not to begin\n\nSend a customer to a doctor first when you hear of:\n\n- surgery within the last six weeks,\n- a clot, or a calf that is hot and swollen,\n- numbness that does not go away,\n- fever, or an infection of the skin where you would hold.\n\nIn pregnancy: no deep work on the abdomen, no lying flat after the twentieth week.',
        ),
        {
          title: 'The Intake Sheet',
          type: 'document',
          minutes: 4,
          content: { url: file('intake-sheet.pdf'), type: 'pdf', pages: 1, allowDownload: true },
        },
      ],
    },
    {
      key: 'during_the_session',
      title: 'During The Session',
      about: 'One word stops everything.',
      lessons: [
        {
          title: 'The Scale Of Ten',
          type: 'mixed',
          minutes: 10,
          content: {
            components: [
              {
                type: 'text',
                order: 0,
                content: {
                  trainingMixedComponentText: `## Ask for a number\n\n${picture(file, 'scale.png', 'One to ten')}A stretch lives between **four and six**. At seven you give back; at eight you stop.`,
                  customCSS: 'h2 { letter-spacing: 0.01em; }',
                },
              },
              {
                type: 'audio',
                order: 1,
                content: {
                  url: file('breathing.wav'),
                  duration: 30,
                  transcript: 'Breathe in while the tone swells, breathe out while it falls. Move on the way out.',
                },
              },
              {
                type: 'quiz',
                order: 2,
                content: {
                  questions: [
                    choice(
                      'scale-1',
                      'A customer says "seven". What do you do?',
                      ['Give back some range', 'Hold a little longer', 'Ask again in a minute'],
                      0,
                      'Seven is past the work and before the pain.',
                    ),
                  ],
                },
              },
            ],
          },
        },
        quiz(
          'Check: Safety',
          10,
          [
            choice(
              'safe-1',
              'A calf is hot, red and swollen. What do you do?',
              ['Stretch it gently', 'Do not touch it and send the customer to a doctor', 'Warm it up first'],
              1,
              'It may be a clot.',
            ),
            truth(
              'safe-2',
              'A customer may end the session at any moment without giving a reason.',
              true,
              'One word stops everything.',
            ),
            select(
              'safe-3',
              'What do you ask before every first session?',
              ['Recent surgery', 'Medicines', 'Salary', 'Pregnancy'],
              [0, 1, 3],
              'Ask what changes your work.',
            ),
          ],
          { passingScore: 80, maxAttempts: 3 },
        ),
      ],
    },
  ],
})
