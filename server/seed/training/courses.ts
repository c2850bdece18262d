import type { ContentInputOf, ContentType } from '@limber/contract/training/content.ts'
import type { Question } from '@limber/contract/training/question.ts'
import { type Theme, themeTemplates } from '@limber/contract/training/theme.ts'

export type LessonPlan = {
  [T in ContentType]: { title: string; type: T; minutes: number; content: ContentInputOf<T> }
}[ContentType]
export interface CoursePlan {
  key: string
  title: string
  about: string
  level: 'beginner' | 'intermediate' | 'advanced'
  hours: number
  isRequired: boolean
  isLive: boolean
  after?: string[]
  theme?: Theme
  modules: { key: string; title: string; about: string; lessons: LessonPlan[] }[]
}

/** The address of a file by its name, once the file has one; empty where there is no storage to put it into. */
export type FileAddress = (name: string) => string

const text = (title: string, minutes: number, words: string): LessonPlan => ({
  title,
  type: 'text',
  minutes,
  content: { trainingLessonContent: words },
})
const choice = (id: string, words: string, options: string[], correctAnswer: number, why: string): Question => ({
  id,
  trainingQuizQuestion: words,
  type: 'multiple_choice',
  options,
  correctAnswer,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: why,
  points: 1,
})
const truth = (id: string, words: string, isTrue: boolean, why: string): Question => ({
  ...choice(id, words, ['True', 'False'], isTrue ? 0 : 1, why),
  type: 'true_false',
})
const select = (id: string, words: string, options: string[], correctAnswers: number[], why: string): Question => ({
  ...choice(id, words, options, 0, why),
  type: 'multiple_select',
  correctAnswer: null,
  correctAnswers,
  points: 2,
})
const short = (id: string, words: string, acceptedAnswers: string[], why: string): Question => ({
  ...choice(id, words, [], 0, why),
  type: 'short_answer',
  correctAnswer: null,
  acceptedAnswers,
})
const quiz = (
  title: string,
  minutes: number,
  questions: Question[],
  more: Partial<ContentInputOf<'quiz'>> = {},
): LessonPlan => ({ title, type: 'quiz', minutes, content: { questions, ...more } })

/** Six courses: four that everybody takes, one for those who like events, one that is still being written. */
export const planCourses = (file: FileAddress): CoursePlan[] => {
  const picture = (name: string, words: string) => (file(name) ? `![${words}](${file(name)})\n\n` : '')
  return [
    {
      key: 'anatomy_for_stretchers',
      title: 'Anatomy For Stretchers',
      about: 'The muscles you will meet every day, what they do, and how far they like to go.',
      level: 'beginner',
      hours: 3,
      isRequired: true,
      isLive: true,
      modules: [
        {
          key: 'hips_and_legs',
          title: 'Hips And Legs',
          about: 'Where most customers are tight.',
          lessons: [
            text(
              'The Hip Flexors',
              8,
              `# The hip flexors\n\n${picture('hip-flexor.png', 'Half-kneeling hip flexor stretch')}The **iliopsoas** lifts the knee. Whoever sits all day keeps it short for hours.\n\n- Bring the pelvis level before you add any range.\n- Ask for the feeling in *front* of the hip, never in the low back.\n- Hold 30 to 45 seconds; two rounds are enough.\n\n> If the low back arches, you have gone past the hip.`,
            ),
            text(
              'The Hamstrings',
              8,
              `# The hamstrings\n\n${picture('hamstring.png', 'Supine hamstring stretch')}Three muscles run from the sit bone to below the knee. They bend the knee and extend the hip.\n\n| Position | You feel it | Stop when |\n|---|---|---|\n| Knee soft | belly of the muscle | a pull behind the knee |\n| Knee straight | the whole line | tingling in the foot |\n\nTingling belongs to a nerve, not to a muscle: give back ten degrees.`,
            ),
            {
              title: 'Find The Muscle',
              type: 'interactive',
              minutes: 5,
              content: {
                gameType: 'body_map',
                instructions: 'Mark the muscle that is asked for.',
                gameData: {
                  view: 'front',
                  targets: [
                    { muscle: 'quadriceps', prompt: 'It straightens the knee.' },
                    { muscle: 'hip_flexors', prompt: 'It lifts the knee.' },
                    { muscle: 'adductors', prompt: 'They bring the legs together.' },
                  ],
                },
              },
            },
            quiz(
              'Check: Hips And Legs',
              10,
              [
                choice(
                  'hip-1',
                  'Which muscle lifts the knee towards the chest?',
                  ['Iliopsoas', 'Soleus', 'Rhomboids', 'Triceps'],
                  0,
                  'The iliopsoas flexes the hip.',
                ),
                truth(
                  'hip-2',
                  'Tingling in the foot during a hamstring stretch means that the muscle is working well.',
                  false,
                  'Tingling comes from a nerve. Give back range.',
                ),
                select(
                  'hip-3',
                  'Which of these are hamstrings?',
                  ['Biceps femoris', 'Semitendinosus', 'Rectus femoris', 'Semimembranosus'],
                  [0, 1, 3],
                  'The rectus femoris lies in front.',
                ),
                short(
                  'hip-4',
                  'Where should a hip flexor stretch be felt: in front of the hip, or in the low back?',
                  ['in front of the hip', 'front of the hip', 'in front', 'the front'],
                  'The low back stays quiet.',
                ),
              ],
              { timeLimit: 15, randomizeQuestions: true },
            ),
          ],
        },
        {
          key: 'neck_and_shoulders',
          title: 'Neck And Shoulders',
          about: 'Small muscles, careful hands.',
          lessons: [
            text(
              'The Neck',
              7,
              `# The neck\n\n${picture('neck.png', 'Ear towards the shoulder')}Never pull on a head. Steady the shoulder, and let the weight of the head do the rest.\n\n1. Sit the customer upright.\n2. One hand on the far shoulder.\n3. Ear towards the shoulder; three slow breaths.`,
            ),
            {
              title: 'Muscles And What They Do',
              type: 'interactive',
              minutes: 6,
              content: {
                gameType: 'match_pairs',
                instructions: 'Bring together what belongs together.',
                gameData: {
                  pairs: [
                    { left: 'Upper trapezius', right: 'Lifts the shoulder' },
                    { left: 'Pectoralis major', right: 'Brings the arm across' },
                    { left: 'Latissimus dorsi', right: 'Draws the arm down and back' },
                    { left: 'Levator scapulae', right: 'Tilts the neck' },
                  ],
                },
              },
            },
            {
              title: 'Flashcards: Shoulder Girdle',
              type: 'interactive',
              minutes: 6,
              content: {
                gameType: 'flashcards',
                difficulty: 'easy',
                instructions: 'Say it aloud, then turn the card.',
                gameData: {
                  cards: [
                    {
                      front: 'Which muscle rounds the shoulders of desk workers?',
                      back: 'The pectoralis minor: it draws the shoulder blade forward.',
                    },
                    {
                      front: 'What moves first when an arm goes up?',
                      back: 'The shoulder blade turns with it from about thirty degrees.',
                    },
                  ],
                },
              },
            },
          ],
        },
      ],
    },
    {
      key: 'safety_first',
      title: 'Safety First',
      about: 'When to go on, when to stop, and when not to begin.',
      level: 'beginner',
      hours: 2,
      isRequired: true,
      isLive: true,
      theme: themeTemplates.Corporate,
      modules: [
        {
          key: 'before_the_session',
          title: 'Before The Session',
          about: 'Questions that take two minutes and save a week.',
          lessons: [
            text(
              'Reasons Not To Begin',
              9,
              '# Reasons not to begin\n\nSend a customer to a doctor first when you hear of:\n\n- surgery within the last six weeks,\n- a clot, or a calf that is hot and swollen,\n- numbness that does not go away,\n- fever, or an infection of the skin where you would hold.\n\nIn pregnancy: no deep work on the abdomen, no lying flat after the twentieth week.',
            ),
            {
              title: 'The Intake Sheet',
              type: 'document',
              minutes: 4,
              content: { url: file('intake-sheet.pdf'), type: 'pdf', pages: 1, allowDownload: true },
            },
          ],
        },
        {
          key: 'during_the_session',
          title: 'During The Session',
          about: 'One word stops everything.',
          lessons: [
            {
              title: 'The Scale Of Ten',
              type: 'mixed',
              minutes: 10,
              content: {
                components: [
                  {
                    type: 'text',
                    order: 0,
                    content: {
                      trainingMixedComponentText: `## Ask for a number\n\n${picture('scale.png', 'One to ten')}A stretch lives between **four and six**. At seven you give back; at eight you stop.`,
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
            },
            quiz(
              'Check: Safety',
              10,
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
        },
      ],
    },
    {
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
            text(
              'Hands And Feet',
              8,
              `# Your own body first\n\n${picture('table.png', 'Hands and feet of the practitioner')}Push from your legs, not from your thumbs. Stand so that your back knee could leave the floor.`,
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
    },
    {
      key: 'customer_care',
      title: 'Customer Care',
      about: 'Words that help people come back.',
      level: 'beginner',
      hours: 1.5,
      isRequired: true,
      isLive: true,
      modules: [
        {
          key: 'words',
          title: 'Words',
          about: 'What to say, and what to leave unsaid.',
          lessons: [
            {
              title: 'Asking Before Touching',
              type: 'text',
              minutes: 6,
              content: {
                formatting: 'rich_text',
                allowHtml: true,
                trainingLessonContent:
                  '<h2>Ask, every time</h2><p>"May I hold your shoulder?" takes two seconds. <em>Wait for the answer.</em></p><blockquote>Consent to one thing is not consent to the next.</blockquote>',
                trainingStylesheet: 'blockquote { border-left: 4px solid #0f766e; padding-left: 12px; }',
              },
            },
            text(
              'When Somebody Is Unhappy',
              6,
              '# When somebody is unhappy\n\nListen to the end. Say what you heard. Say what you will do, and by when.\n\nRefunds are decided by support; promise the answer, not the money.',
            ),
            quiz('Check: Care', 6, [
              choice(
                'care-1',
                'A customer asks for a refund. What do you promise?',
                ['The money', 'An answer from support', 'A free session'],
                1,
                'Support decides.',
              ),
              short(
                'care-2',
                'What do you wait for after asking before touching?',
                ['the answer', 'an answer', 'answer', 'consent'],
                'Asking without waiting is not asking.',
              ),
            ]),
          ],
        },
      ],
    },
    {
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
              `# The room\n\n${picture('event.png', 'A room for an on-site event')}Two metres between tables, one way in, one way out. Put the list where only you can read it.`,
            ),
            text(
              'Fifteen Minutes',
              5,
              '# Fifteen minutes\n\nOne question, one region, one exercise. Clean the table while the next person takes off their shoes.',
            ),
          ],
        },
      ],
    },
    {
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
    },
  ]
}
