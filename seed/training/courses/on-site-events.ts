import { type CoursePlan, choice, type FileAddress, lesson, list, picture, quiz, text, truth } from '../plan.ts'

export const onSiteEvents = (file: FileAddress): CoursePlan => ({
  key: 'on_site_events',
  title: 'On-Site Events',
  about: 'Slots of 10 to 20 minutes at the premises of a partner: set up, keep time, leave no trace.',
  level: 'intermediate',
  isRequired: false,
  isLive: true,
  liveSince: 50,
  after: ['flow_of_a_session'],
  modules: [
    {
      key: 'set_up',
      title: 'Setting Up',
      about: 'Be there thirty minutes before the first slot.',
      lessons: [
        text(
          {
            title: 'The Room',
            about: 'Where tables, coats and the list go, so that twenty people an hour find their way.',
            minutes: 8,
          },
          picture(file, 'event.png', 'A room for an on-site event'),
          'Six feet between tables, one way in, one way out. Put the list where only you can read it.',
          list(
            'Ask for a door that closes, and for the light to be dimmed.',
            'Chairs for two who wait: more than two is a queue.',
            'Know where the nearest sink and the exit are.',
          ),
        ),
        lesson(
          'interactive',
          {
            title: 'Before The First Slot',
            about: 'Five things to do in the half hour before, in their order.',
            minutes: 5,
          },
          {
            gameType: 'order_steps',
            instructions: 'Put the half hour into its order.',
            gameData: {
              steps: [
                'Greet the contact of the partner',
                'Place the tables and test them',
                'Clean the surfaces and lay out towels',
                'Check the list of slots on the phone',
                'Open the door',
              ],
            },
          },
        ),
      ],
    },
    {
      key: 'the_slots',
      title: 'The Slots',
      about: 'A whole session in a quarter of an hour.',
      after: ['set_up'],
      lessons: [
        text(
          {
            title: 'Fifteen Minutes',
            about: 'One question, one region, one exercise, and a clean table for the next person.',
            minutes: 8,
          },
          'One question, one region, one exercise. Clean the table while the next person takes off their shoes.',
          '| Minute | What |\n|---|---|\n| 0 to 2 | Name, one question, reasons not to begin |\n| 2 to 12 | One region, dressed, seated or lying |\n| 12 to 14 | One exercise for the desk |\n| 14 to 15 | Table clean, next name |',
        ),
        quiz({ title: 'Check: Events', about: 'Two questions about time and privacy on site.', minutes: 5 }, [
          truth(
            'event-1',
            'The list of slots hangs at the door so that everybody finds their time.',
            false,
            'It holds names: only you read it.',
          ),
          choice(
            'event-2',
            'A slot begins six minutes late. What do you do?',
            ['Work six minutes longer', 'End on time and say so at the beginning', 'Skip the exercise for home'],
            1,
            'The next person is not late.',
          ),
        ]),
      ],
    },
  ],
})
