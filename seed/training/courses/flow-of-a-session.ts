import { themeTemplates } from '@limber/contract/training/theme/theme.ts'
import { type CoursePlan, choice, type FileUrl, image, lesson, list, quiz, text, truth } from '../plan.ts'
import { VIDEO_SECONDS } from '../video.ts'

export const flowOfASession = (file: FileUrl): CoursePlan => ({
  key: 'flow_of_a_session',
  title: 'The Flow Of A Session',
  about: 'From the greeting to the cooldown: how a 50-minute session is structured and how to keep the pace.',
  level: 'intermediate',
  isRequired: true,
  isLive: true,
  after: ['anatomy_for_stretchers', 'safety_first'],
  theme: themeTemplates.Modern,
  modules: [
    {
      key: 'open_and_close',
      title: 'Open And Close',
      about: 'The first and last five minutes decide whether a customer comes back.',
      lessons: [
        lesson(
          'interactive',
          {
            title: 'The Order Of A Session',
            about: 'Put the six steps of a session in order.',
            minutes: 6,
          },
          {
            gameType: 'order_steps',
            instructions: 'Put the steps in order.',
            gameData: {
              steps: [
                'Greet the customer and ask about their week',
                'Check their posture',
                'Warm up the large joints',
                'Work on the goal for the day',
                'Cool down with slow breathing',
                'Agree on one exercise for home',
              ],
            },
          },
        ),
        text(
          {
            title: 'The First Five Minutes',
            about: 'One question, one look, one goal: what to find out before the customer lies down.',
            minutes: 8,
          },
          'Ask one open question: *What would you like to feel different when you leave?* Then watch how they stand, sit down, and take off their shoes.',
          list(
            'Repeat the goal in one sentence and get a "yes."',
            'Say what you will do first and how long it takes.',
            'Check the intake sheet for changes.',
          ),
        ),
        text(
          {
            title: 'The Last Five Minutes',
            about: 'Help the customer notice the change, and send them home with one exercise.',
            minutes: 8,
          },
          'Repeat the test from the beginning. People believe what they feel, so have them turn their head, bend, and walk.',
          'Agree on **one** exercise, do it together once, and write it in the notes. Nobody does three.',
        ),
      ],
    },
    {
      key: 'the_middle',
      title: 'The Middle',
      about: 'Breathing, straps, and your own posture: forty minutes without rushing.',
      after: ['open_and_close'],
      lessons: [
        lesson(
          'audio',
          {
            title: 'Breathing With The Customer',
            about: 'Thirty seconds of breathing: in for four, out for six. Listen once, then move along.',
            minutes: 5,
          },
          {
            url: file('breathing.wav'),
            duration: 30,
            transcript: '<p>In for <strong>four</strong>, out for <strong>six</strong>. Move on the exhale.</p>',
          },
        ),
        lesson(
          'video',
          {
            title: 'Strap Work, Slowly',
            about: 'An animation of one round: how the strap lifts the leg and where it pauses. With subtitles.',
            minutes: 5,
            after: ['Breathing With The Customer'],
          },
          {
            url: file('strap-work.webm'),
            duration: VIDEO_SECONDS,
            thumbnail: file('hamstring.png'),
            subtitles: [{ label: 'English', language: 'en', url: file('strap-work.en.vtt') }],
          },
        ),
        text(
          {
            title: 'Hands And Feet',
            about: 'How to stand and push so that you can give six sessions a day for years.',
            minutes: 10,
          },
          image(file, 'table.png', 'Where to put your hands and feet'),
          'Push from your legs, not your thumbs. Keep your weight on the front foot.',
          list(
            'Set the table at knuckle height: stand next to it with your arm hanging and your hand in a fist.',
            'Switch sides instead of reaching across.',
            'If your shoulders creep up to your ears, step closer.',
          ),
        ),
        quiz(
          {
            title: 'Check: Flow',
            about: 'Three questions about pace, breathing, and the exercise for home.',
            minutes: 8,
            see: ['The Last Five Minutes', 'Breathing With The Customer'],
          },
          [
            choice(
              'flow-1',
              'When do you agree on an exercise for home?',
              ['At the end', 'Before the warm-up', 'By email a week later'],
              0,
              'The body still remembers the session.',
            ),
            truth('flow-2', 'You add range while the customer breathes in.', false, 'Add range on the exhale.'),
            choice(
              'flow-3',
              'How high should the table be?',
              ['As high as it goes', 'At knuckle height', 'At hip height'],
              1,
              'That way you push from the legs.',
            ),
          ],
        ),
      ],
    },
  ],
})
