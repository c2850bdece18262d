import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import { type CoursePlan, lesson, list, quiz, text } from '../plan.ts'

export const toolsOfTheTrade = (): CoursePlan => ({
  key: 'tools_of_the_trade',
  title: 'Tools Of The Trade',
  about: 'Straps, rollers and the app: what they add to hands, and what they do not. In development.',
  level: 'advanced',
  isRequired: false,
  isLive: false,
  theme: themeTemplates.Minimal,
  modules: [
    {
      key: 'straps',
      title: 'Straps And Rollers',
      about: 'When hands are not enough.',
      lessons: [
        text(
          {
            title: 'Choosing A Strap',
            about: 'Width, length and buckle: which strap for which leg, and how to keep it clean.',
            minutes: 6,
          },
          'A strap lengthens the arm, nothing more. It must not slip, cut, or hold a person who wants to get out.',
          list(
            'Two inches wide for the foot, four for the thigh.',
            'No knots: a buckle that opens with one hand.',
            'Wipe it down between customers, wash it every week.',
          ),
        ),
        lesson(
          'video',
          {
            title: 'Strap Work On Film',
            about: 'A filmed round with a strap for both legs. The film is still to be uploaded.',
            minutes: 12,
          },
          { controls: true },
        ),
        lesson(
          'interactive',
          {
            title: 'Build Your Own Kit',
            about: 'A list to lay your kit out against before the first booking of the day.',
            minutes: 5,
          },
          {
            gameType: 'custom',
            instructions: 'Lay out your kit and tick it off against this list.',
            gameData: {
              kit: ['strap, 2 in', 'strap, 4 in', 'foam roller', 'two towels', 'disinfectant'],
              weightLimitPounds: 12,
            },
          },
        ),
        quiz(
          {
            title: 'Check: Tools',
            about: 'Questions about straps and rollers; they are still being written.',
            minutes: 5,
          },
          [],
        ),
      ],
    },
    {
      key: 'the_app',
      title: 'The App',
      about: 'Check in, take notes, check out. Its lessons follow with the new version of the app.',
      lessons: [],
    },
  ],
})
