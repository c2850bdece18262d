import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import {
  type CoursePlan,
  choice,
  type FileAddress,
  lesson,
  list,
  type ModulePlan,
  page,
  picture,
  quiz,
  select,
  text,
  truth,
} from '../plan.ts'

export const safetyFirst = (file: FileAddress): CoursePlan => ({
  key: 'safety_first',
  title: 'Safety First',
  about: 'When to go on, when to stop, and when not to begin.',
  level: 'beginner',
  isRequired: true,
  isLive: true,
  theme: themeTemplates.Corporate,
  modules: [beforeTheSession(file), duringTheSession(file), whenSomethingHappens()],
})

const beforeTheSession = (file: FileAddress): ModulePlan => ({
  key: 'before_the_session',
  title: 'Before The Session',
  about: 'Questions that take two minutes and save a week.',
  lessons: [
    text(
      {
        title: 'Reasons Not To Begin',
        about: 'What sends a customer to a doctor first, and what changes in pregnancy.',
        minutes: 10,
      },
      'Send a customer to a doctor first when you hear of:',
      list(
        'surgery within the last six weeks,',
        'a clot, or a calf that is hot and swollen,',
        'numbness that does not go away,',
        'fever, or an infection of the skin where you would hold.',
      ),
      'In pregnancy: no deep work on the abdomen, no lying flat after the twentieth week.',
      '> Not beginning is never a mistake. Nobody is charged for a session that you did not begin for this reason.',
    ),
    lesson(
      'document',
      {
        title: 'The Intake Sheet',
        about: 'The sheet that every new customer fills in. Read it before you take one from somebody.',
        minutes: 5,
        see: ['Reasons Not To Begin'],
      },
      { url: file('intake-sheet.pdf'), type: 'pdf', pages: 1, allowDownload: true },
    ),
  ],
})

const duringTheSession = (file: FileAddress): ModulePlan => ({
  key: 'during_the_session',
  title: 'During The Session',
  about: 'One word stops everything.',
  after: ['before_the_session'],
  lessons: [
    lesson(
      'mixed',
      {
        title: 'The Scale Of Ten',
        about: 'A number for every stretch: read about it, breathe with it, and answer one question.',
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
                picture(file, 'scale.png', 'One to ten'),
                'A stretch lives between **four and six**. At seven you give back; at eight you stop.',
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
    ),
    lesson(
      'interactive',
      {
        title: 'Go On, Give Back, Or Stop',
        about: 'Match what you see or hear with what you do.',
        minutes: 6,
        after: ['The Scale Of Ten'],
      },
      {
        gameType: 'match_pairs',
        instructions: 'What do you do when you notice it?',
        gameData: {
          pairs: [
            { left: '"Five, it is fine"', right: 'Go on' },
            { left: 'The breath is held', right: 'Give back some range' },
            { left: 'A sharp pain', right: 'Stop, and ask' },
            { left: 'Tingling that stays', right: 'Stop, and write it down' },
          ],
        },
      },
    ),
    quiz(
      {
        title: 'Check: Safety',
        about: 'Three questions that nobody may miss: 80% is needed to go on.',
        minutes: 10,
        see: ['Reasons Not To Begin', 'The Scale Of Ten'],
      },
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
})

const whenSomethingHappens = (): ModulePlan => ({
  key: 'when_something_happens',
  title: 'When Something Happens',
  about: 'Fainting, cramps, falls: what to do in the first minute and whom to call.',
  after: ['during_the_session'],
  lessons: [
    text(
      {
        title: 'The First Minute',
        about: 'Three sentences to know by heart, and the number to dial.',
        minutes: 8,
      },
      '1. Stop, and stay with the person.\n2. Ask: can you hear me, where does it hurt, can you move it?\n3. No answer, no breath, or pain in the chest: dial **911** and stay on the line.',
      'A cramp is not an emergency: hold the muscle long, breathe, wait. Fainting: legs up, window open, no water until they sit.',
    ),
    text(
      {
        title: 'Writing A Report',
        about: 'What goes into the report of an incident, and by when it must be with support.',
        minutes: 6,
      },
      'Write it the same day, while you remember. What you saw and did, not what you suppose.',
      list(
        'When and where, and who was there.',
        'What the customer said, in their words.',
        'What you did, minute by minute.',
        'Whom you called, and what was agreed.',
      ),
    ),
  ],
})
