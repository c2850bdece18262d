import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import {
  type CoursePlan,
  choice,
  type FileUrl,
  image,
  lesson,
  list,
  type ModulePlan,
  page,
  quiz,
  select,
  text,
  truth,
} from '../plan.ts'

export const safetyFirst = (file: FileUrl): CoursePlan => ({
  key: 'safety_first',
  title: 'Safety First',
  about: 'When to continue, when to stop, and when not to start.',
  level: 'beginner',
  isRequired: true,
  isLive: true,
  theme: themeTemplates.Corporate,
  modules: [beforeTheSession(file), duringTheSession(file), whenSomethingHappens()],
})

const beforeTheSession = (file: FileUrl): ModulePlan => ({
  key: 'before_the_session',
  title: 'Before The Session',
  about: 'Questions that take two minutes and prevent injuries.',
  lessons: [
    text(
      {
        title: 'Reasons Not To Start',
        about: 'When a customer should see a doctor first, and what changes during pregnancy.',
        minutes: 10,
      },
      'Ask the customer to see a doctor first if they mention:',
      list(
        'surgery within the last six weeks',
        'a blood clot, or a calf that is hot and swollen',
        'numbness that does not go away',
        'a fever, or a skin infection where you would hold them',
      ),
      'During pregnancy: no deep work on the abdomen, and no lying flat after week twenty.',
      '> Not starting is never a mistake. Customers are not charged for a session that you skip for one of these reasons.',
    ),
    lesson(
      'document',
      {
        title: 'The Intake Sheet',
        about: 'The sheet that every new customer fills out. Read it before your first intake.',
        minutes: 5,
        see: ['Reasons Not To Start'],
      },
      { url: file('intake-sheet.pdf'), type: 'pdf', pages: 1, allowDownload: true },
    ),
  ],
})

const duringTheSession = (file: FileUrl): ModulePlan => ({
  key: 'during_the_session',
  title: 'During The Session',
  about: 'Everything stops at one word from the customer.',
  after: ['before_the_session'],
  lessons: [
    lesson(
      'mixed',
      {
        title: 'The Scale Of Ten',
        about: 'Rate every stretch from one to ten. Read, breathe along, and answer one question.',
        minutes: 12,
      },
      {
        components: [
          {
            type: 'text',
            order: 0,
            content: {
              trainingMixedComponentText: page(
                '## Ask for a number',
                image(file, 'scale.png', 'Scale from one to ten'),
                'A good stretch is between **four and six**. At seven, reduce the range. At eight, stop.',
              ),
              customCSS: 'h2 { letter-spacing: 0.01em; }',
            },
          },
          {
            type: 'audio',
            order: 1,
            content: {
              url: file('breathing.wav'),
              duration: 30,
              transcript: 'Breathe in while the tone rises. Breathe out while it falls. Move on the exhale.',
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
                  ['Reduce the range', 'Hold a little longer', 'Ask again in a minute'],
                  0,
                  'Seven is too much, but it is not pain yet.',
                ),
              ],
            },
          },
        ],
      },
    ),
    lesson(
      'interactive',
      {
        title: 'Continue, Ease Off, Or Stop',
        about: 'Match what you see or hear to what you do.',
        minutes: 6,
        after: ['The Scale Of Ten'],
      },
      {
        gameType: 'match_pairs',
        instructions: 'Match each sign to what you do.',
        gameData: {
          pairs: [
            { left: '"Five, I am fine"', right: 'Continue' },
            { left: 'The customer holds their breath', right: 'Reduce the range' },
            { left: 'A sharp pain', right: 'Stop and ask' },
            { left: 'Tingling that does not go away', right: 'Stop and write it down' },
          ],
        },
      },
    ),
    quiz(
      {
        title: 'Check: Safety',
        about: 'Three must-know questions. Score 80% to continue.',
        minutes: 10,
        see: ['Reasons Not To Start', 'The Scale Of Ten'],
      },
      [
        choice(
          'safe-1',
          'A calf is hot, red, and swollen. What do you do?',
          ['Stretch it gently', 'Leave it alone and send the customer to a doctor', 'Warm it up first'],
          1,
          'It may be a blood clot.',
        ),
        truth(
          'safe-2',
          'A customer may end the session at any time without giving a reason.',
          true,
          'One word from the customer stops everything.',
        ),
        select(
          'safe-3',
          'What do you ask before every first session?',
          ['Recent surgery', 'Medications', 'Salary', 'Pregnancy'],
          [0, 1, 3],
          'Ask only what affects the session.',
        ),
      ],
      { passingScore: 80, maxAttempts: 3 },
    ),
  ],
})

const whenSomethingHappens = (): ModulePlan => ({
  key: 'when_something_happens',
  title: 'When Something Happens',
  about: 'Fainting, cramps, and falls: what to do in the first minute and who to call.',
  after: ['during_the_session'],
  lessons: [
    text(
      {
        title: 'The First Minute',
        about: 'Three steps to know by heart, and the number to call.',
        minutes: 8,
      },
      '1. Stop and stay with the person.\n2. Ask: Can you hear me? Where does it hurt? Can you move it?\n3. No answer, no breathing, or chest pain: call **911** and stay on the line.',
      'A cramp is not an emergency: lengthen the muscle, breathe, and wait. If someone faints, raise their legs and open a window. No water until they can sit up.',
    ),
    text(
      {
        title: 'Writing A Report',
        about: 'What goes in an incident report, and when support needs it.',
        minutes: 6,
      },
      'Write it the same day, while you remember. Report what you saw and did, not what you assume.',
      list(
        'When and where it happened, and who was there.',
        'What the customer said, in their words.',
        'What you did, minute by minute.',
        'Who you called, and what you agreed on.',
      ),
    ),
  ],
})
