import { type CoursePlan, choice, type FileAddress, picture, quiz, select, short, text, truth } from '../plan.ts'

export const anatomyForStretchers = (file: FileAddress): CoursePlan => ({
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
          `# The hip flexors\n\n${picture(file, 'hip-flexor.png', 'Half-kneeling hip flexor stretch')}The **iliopsoas** lifts the knee. Whoever sits all day keeps it short for hours.\n\n- Bring the pelvis level before you add any range.\n- Ask for the feeling in *front* of the hip, never in the low back.\n- Hold 30 to 45 seconds; two rounds are enough.\n\n> If the low back arches, you have gone past the hip.`,
        ),
        text(
          'The Hamstrings',
          8,
          `# The hamstrings\n\n${picture(file, 'hamstring.png', 'Supine hamstring stretch')}Three muscles run from the sit bone to below the knee. They bend the knee and extend the hip.\n\n| Position | You feel it | Stop when |\n|---|---|---|\n| Knee soft | belly of the muscle | a pull behind the knee |\n| Knee straight | the whole line | tingling in the foot |\n\nTingling belongs to a nerve, not to a muscle: give back ten degrees.`,
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
          `# The neck\n\n${picture(file, 'neck.png', 'Ear towards the shoulder')}Never pull on a head. Steady the shoulder, and let the weight of the head do the rest.\n\n1. Sit the customer upright.\n2. One hand on the far shoulder.\n3. Ear towards the shoulder; three slow breaths.`,
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
})
