import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import { type CoursePlan, lesson, list, quiz, text } from '../plan.ts'

export const toolsOfTheTrade = (): CoursePlan => ({
  key: 'tools_of_the_trade',
  title: 'Tools Of The Trade',
  about: 'Straps, rollers, and the app: when they help and when they do not. In development.',
  level: 'advanced',
  isRequired: false,
  isLive: false,
  theme: themeTemplates.Minimal,
  modules: [
    {
      key: 'straps',
      title: 'Straps And Rollers',
      about: 'What to use when hands are not enough.',
      lessons: [
        text(
          {
            title: 'Choosing A Strap',
            about: 'Width, length, and buckle: which strap to use, and how to keep it clean.',
            minutes: 6,
          },
          'A strap extends your reach, nothing more. It must not slip, cut into the skin, or keep anyone from getting out.',
          list(
            'Two inches wide for the foot, four for the thigh.',
            'No knots. Use a buckle that opens with one hand.',
            'Wipe it down between customers and wash it every week.',
          ),
        ),
        lesson(
          'video',
          {
            title: 'Strap Work on Video',
            about: 'A video of one round with a strap for both legs. Not uploaded yet.',
            minutes: 12,
          },
          { controls: true },
        ),
        lesson(
          'interactive',
          {
            title: 'Build Your Own Kit',
            about: 'A checklist for your kit before the first booking of the day.',
            minutes: 5,
          },
          {
            gameType: 'custom',
            instructions: 'Lay out your kit and check it against this list.',
            gameData: {
              kit: ['strap, 2 in', 'strap, 4 in', 'foam roller', 'two towels', 'disinfectant spray'],
              weightLimitPounds: 12,
            },
          },
        ),
        quiz(
          {
            title: 'Check: Tools',
            about: 'Questions about straps and rollers. Still being written.',
            minutes: 5,
          },
          [],
        ),
      ],
    },
    {
      key: 'the_app',
      title: 'The App',
      about: 'Check in, take notes, check out. Lessons will follow with the new version of the app.',
      lessons: [],
    },
  ],
})
