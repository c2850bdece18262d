import { type CoursePlan, type FileAddress, picture, text } from '../plan.ts'

export const onSiteEvents = (file: FileAddress): CoursePlan => ({
  key: 'on_site_events',
  title: 'On-Site Events',
  about: 'Slots of 10 to 20 minutes at the premises of a partner.',
  level: 'intermediate',
  hours: 1,
  isRequired: false,
  isLive: true,
  after: ['flow_of_a_session'],
  modules: [
    {
      key: 'set_up',
      title: 'Setting Up',
      about: 'Be there thirty minutes before.',
      lessons: [
        text(
          'The Room',
          5,
          `# The room\n\n${picture(file, 'event.png', 'A room for an on-site event')}Two metres between tables, one way in, one way out. Put the list where only you can read it.`,
        ),
        text(
          'Fifteen Minutes',
          5,
          '# Fifteen minutes\n\nOne question, one region, one exercise. Clean the table while the next person takes off their shoes.',
        ),
      ],
    },
  ],
})
