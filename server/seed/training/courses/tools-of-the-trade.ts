import { themeTemplates } from '@limber/contract/training/theme.ts'
import { type CoursePlan, quiz } from '../plan.ts'

export const toolsOfTheTrade = (): CoursePlan => ({
  key: 'tools_of_the_trade',
  title: 'Tools Of The Trade',
  about: 'Straps, rollers and the app. Still being written.',
  level: 'advanced',
  hours: 1,
  isRequired: false,
  isLive: false,
  theme: themeTemplates.Minimal,
  modules: [
    {
      key: 'straps',
      title: 'Straps And Rollers',
      about: 'When hands are not enough.',
      lessons: [
        { title: 'Strap Work On Film', type: 'video', minutes: 12, content: { controls: true } },
        {
          title: 'Build Your Own Kit',
          type: 'interactive',
          minutes: 5,
          content: {
            gameType: 'custom',
            instructions: 'To be filled in.',
            gameData: { kit: ['strap', 'roller', 'towel'], version: 1 },
          },
        },
        quiz('Check: Tools', 5, []),
      ],
    },
    { key: 'the_app', title: 'The App', about: 'Check in, take notes, check out.', lessons: [] },
  ],
})
