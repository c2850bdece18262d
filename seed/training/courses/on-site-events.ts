import { type CoursePlan, choice, type FileUrl, image, lesson, list, quiz, text, truth } from '../plan.ts'

export const onSiteEvents = (file: FileUrl): CoursePlan => ({
  key: 'on_site_events',
  title: 'On-Site Events',
  about: 'Slots of 10 to 20 minutes at a partner location: set up, stay on time, leave no trace.',
  level: 'intermediate',
  isRequired: false,
  isLive: true,
  liveSince: 50,
  after: ['flow_of_a_session'],
  modules: [
    {
      key: 'set_up',
      title: 'Setting Up',
      about: 'Arrive thirty minutes before the first slot.',
      lessons: [
        text(
          {
            title: 'The Room',
            about: 'Where to put the tables, the coats, and the list so that twenty people an hour find their way.',
            minutes: 8,
          },
          image(file, 'event.png', 'Room setup for an on-site event'),
          'Six feet between tables, one way in, one way out. Keep the list where only you can read it.',
          list(
            'Ask for a door that closes and for dimmed lights.',
            'Put out two chairs. More than two people waiting is a line.',
            'Find the nearest sink and the exits.',
          ),
        ),
        lesson(
          'interactive',
          {
            title: 'Before The First Slot',
            about: 'Put the five things to do before the first slot in order.',
            minutes: 5,
          },
          {
            gameType: 'order_steps',
            instructions: 'Put the steps in order.',
            gameData: {
              steps: [
                'Greet your contact at the partner',
                'Set up the tables and test them',
                'Clean the surfaces and put out towels',
                'Check the slot list on your phone',
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
      about: 'A complete session in fifteen minutes.',
      after: ['set_up'],
      lessons: [
        text(
          {
            title: 'Fifteen Minutes',
            about: 'One question, one body area, one exercise, and a clean table for the next person.',
            minutes: 8,
          },
          'One question, one body area, one exercise. Clean the table while the next person takes off their shoes.',
          '| Minute | What |\n|---|---|\n| 0 to 2 | Name, one question, reasons not to start |\n| 2 to 12 | One body area, clothed, seated or lying down |\n| 12 to 14 | One exercise for the desk |\n| 14 to 15 | Clean the table, call the next name |',
        ),
        quiz({ title: 'Check: Events', about: 'Two questions about timing and privacy on site.', minutes: 5 }, [
          truth(
            'event-1',
            'Post the slot list on the door so that everyone can find their time.',
            false,
            'It has names on it. Only you may read it.',
          ),
          choice(
            'event-2',
            'A slot starts six minutes late. What do you do?',
            ['Work six minutes longer', 'End on time and say so at the start', 'Skip the exercise for home'],
            1,
            'The next person is on time.',
          ),
        ]),
      ],
    },
  ],
})
