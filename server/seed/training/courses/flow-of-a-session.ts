import { themeTemplates } from '@limber/contract/training/theme.ts'
import { FILM_SECONDS } from '../film.ts'
import { type CoursePlan, choice, type FileAddress, picture, quiz, text, truth } from '../plan.ts'

export const flowOfASession = (file: FileAddress): CoursePlan => ({
  key: 'flow_of_a_session',
  title: 'The Flow Of A Session',
  about: 'From the door to the last breath: a session of 50 minutes.',
  level: 'intermediate',
  hours: 2.5,
  isRequired: true,
  isLive: true,
  after: ['anatomy_for_stretchers', 'safety_first'],
  theme: themeTemplates.Modern,
  modules: [
    {
      key: 'open_and_close',
      title: 'Open And Close',
      about: 'The first and the last five minutes.',
      lessons: [
        {
          title: 'The Order Of A Session',
          type: 'interactive',
          minutes: 5,
          content: {
            gameType: 'order_steps',
            instructions: 'Put the steps into their order.',
            gameData: {
              steps: [
                'Greet and ask how the week was',
                'Look at the posture',
                'Warm up the large joints',
                'Work on the goal of the day',
                'Cool down with the breath',
                'Agree on one exercise for home',
              ],
            },
          },
        },
        {
          title: 'Breathing With The Customer',
          type: 'audio',
          minutes: 4,
          content: {
            url: file('breathing.wav'),
            duration: 30,
            transcript: '<p>In for <strong>four</strong>, out for <strong>six</strong>. Move on the way out.</p>',
          },
        },
        {
          title: 'Strap Work, Slowly',
          type: 'video',
          minutes: 3,
          content: {
            url: file('strap-work.webm'),
            duration: FILM_SECONDS,
            thumbnail: file('hamstring.png'),
            subtitles: [{ label: 'English', language: 'en', url: file('strap-work.en.vtt') }],
          },
        },
        text(
          'Hands And Feet',
          8,
          `# Your own body first\n\n${picture(file, 'table.png', 'Hands and feet of the practitioner')}Push from your legs, not from your thumbs. Stand so that your back knee could leave the floor.`,
        ),
        quiz('Check: Flow', 8, [
          choice(
            'flow-1',
            'When do you agree on an exercise for home?',
            ['At the end', 'Before the warm-up', 'By e-mail a week later'],
            0,
            'While the body still remembers.',
          ),
          truth('flow-2', 'Range is added while the customer breathes in.', false, 'Move on the way out.'),
        ]),
      ],
    },
  ],
})
