import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import { FILM_SECONDS } from '../film.ts'
import { type CoursePlan, choice, type FileAddress, lesson, list, picture, quiz, text, truth } from '../plan.ts'

export const flowOfASession = (file: FileAddress): CoursePlan => ({
  key: 'flow_of_a_session',
  title: 'The Flow Of A Session',
  about: 'From the door to the last breath: how a session of 50 minutes is built, and how to keep its pace.',
  level: 'intermediate',
  isRequired: true,
  isLive: true,
  after: ['anatomy_for_stretchers', 'safety_first'],
  theme: themeTemplates.Modern,
  modules: [
    {
      key: 'open_and_close',
      title: 'Open And Close',
      about: 'The first and the last five minutes decide whether somebody comes back.',
      lessons: [
        lesson(
          'interactive',
          {
            title: 'The Order Of A Session',
            about: 'Six steps of a session to be put into their order.',
            minutes: 6,
          },
          {
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
        ),
        text(
          {
            title: 'The First Five Minutes',
            about: 'One question, one look, one goal: what to find out before anybody lies down.',
            minutes: 8,
          },
          'Ask one open question: *What would you like to feel different when you leave?* Then look: how do they stand, sit down, take off their shoes?',
          list(
            'Repeat the goal in one sentence and get a yes.',
            'Say what you will do first, and how long it takes.',
            'Check the intake sheet for what has changed.',
          ),
        ),
        text(
          {
            title: 'The Last Five Minutes',
            about: 'Let the customer notice the change, and send them home with one exercise.',
            minutes: 8,
          },
          'Test again what you tested first. People believe what they feel: let them turn the head, bend, walk.',
          'Agree on **one** exercise, do it together once, and write it into the notes. Three exercises are none.',
        ),
      ],
    },
    {
      key: 'the_middle',
      title: 'The Middle',
      about: 'Breath, straps, and your own body: forty minutes without hurry.',
      after: ['open_and_close'],
      lessons: [
        lesson(
          'audio',
          {
            title: 'Breathing With The Customer',
            about: 'Thirty seconds at the pace of four in, six out. Listen once, then move with it.',
            minutes: 5,
          },
          {
            url: file('breathing.wav'),
            duration: 30,
            transcript: '<p>In for <strong>four</strong>, out for <strong>six</strong>. Move on the way out.</p>',
          },
        ),
        lesson(
          'video',
          {
            title: 'Strap Work, Slowly',
            about: 'A drawn film of one round: how the strap lifts the leg and where it waits. With subtitles.',
            minutes: 5,
            after: ['Breathing With The Customer'],
          },
          {
            url: file('strap-work.webm'),
            duration: FILM_SECONDS,
            thumbnail: file('hamstring.png'),
            subtitles: [{ label: 'English', language: 'en', url: file('strap-work.en.vtt') }],
          },
        ),
        text(
          {
            title: 'Hands And Feet',
            about: 'How to stand and push so that you can do six sessions a day for years.',
            minutes: 10,
          },
          picture(file, 'table.png', 'Hands and feet of the practitioner'),
          'Push from your legs, not from your thumbs. Stand so that your back knee could leave the floor.',
          list(
            'Table height: knuckles of a hanging fist.',
            'Change sides rather than reach across.',
            'If your shoulders are up at your ears, step closer.',
          ),
        ),
        quiz(
          {
            title: 'Check: Flow',
            about: 'Three questions about pace, breath and the exercise for home.',
            minutes: 8,
            see: ['The Last Five Minutes', 'Breathing With The Customer'],
          },
          [
            choice(
              'flow-1',
              'When do you agree on an exercise for home?',
              ['At the end', 'Before the warm-up', 'By e-mail a week later'],
              0,
              'While the body still remembers.',
            ),
            truth('flow-2', 'Range is added while the customer breathes in.', false, 'Move on the way out.'),
            choice(
              'flow-3',
              'How high is the table?',
              ['As high as it goes', 'At the knuckles of a hanging fist', 'At your hip bone'],
              1,
              'So the push comes from the legs.',
            ),
          ],
        ),
      ],
    },
  ],
})
