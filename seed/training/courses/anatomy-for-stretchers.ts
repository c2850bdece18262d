import {
  type CoursePlan,
  choice,
  type FileAddress,
  lesson,
  list,
  type ModulePlan,
  picture,
  quiz,
  select,
  short,
  text,
  truth,
} from '../plan.ts'

export const anatomyForStretchers = (file: FileAddress): CoursePlan => ({
  key: 'anatomy_for_stretchers',
  title: 'Anatomy For Stretchers',
  about: 'The muscles you will meet every day, what they do, and how far they like to go. No Latin exam: hands first.',
  level: 'beginner',
  isRequired: true,
  isLive: true,
  modules: [hipsAndLegs(file), backAndTrunk(file), neckAndShoulders(file)],
})

const hipsAndLegs = (file: FileAddress): ModulePlan => ({
  key: 'hips_and_legs',
  title: 'Hips And Legs',
  about: 'Where most customers are tight: the front of the hip, the back of the thigh, the calf.',
  lessons: [
    text(
      {
        title: 'The Hip Flexors',
        about: 'Why sitting shortens the front of the hip, and how to open it without the low back paying for it.',
        minutes: 12,
      },
      picture(file, 'hip-flexor.png', 'Half-kneeling hip flexor stretch'),
      'The **iliopsoas** lifts the knee. Whoever sits all day keeps it short for hours.',
      '## How to work',
      list(
        'Bring the pelvis level before you add any range.',
        'Ask for the feeling in *front* of the hip, never in the low back.',
        'Hold 30 to 45 seconds; two rounds are enough.',
      ),
      '> If the low back arches, you have gone past the hip.',
    ),
    text(
      {
        title: 'The Hamstrings',
        about: 'Three muscles from the sit bone to below the knee, and how to tell their pull from that of a nerve.',
        minutes: 12,
      },
      picture(file, 'hamstring.png', 'Supine hamstring stretch'),
      'Three muscles run from the sit bone to below the knee. They bend the knee and extend the hip.',
      '| Position | You feel it | Stop when |\n|---|---|---|\n| Knee soft | belly of the muscle | a pull behind the knee |\n| Knee straight | the whole line | tingling in the foot |',
      'Tingling belongs to a nerve, not to a muscle: give back ten degrees.',
    ),
    text(
      {
        title: 'Calves And Ankles',
        about: 'Two muscles, one tendon: why the knee decides which of them you reach.',
        minutes: 8,
      },
      picture(file, 'calf.png', 'Calf stretch with a straight knee'),
      'The **gastrocnemius** crosses the knee, the **soleus** does not. Straighten the knee for the first, bend it for the second.',
      list(
        'Hold the heel, not the toes: the toes have joints of their own.',
        'Runners feel more on one side. Begin with the easier one.',
        'A calf that is hot, red or swollen is not stretched. See *Safety First*.',
      ),
    ),
    lesson(
      'interactive',
      {
        title: 'Find The Muscle',
        about: 'Mark three muscles on the front of the body from what they do.',
        minutes: 6,
        after: ['The Hip Flexors', 'The Hamstrings'],
      },
      {
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
    ),
    quiz(
      {
        title: 'Check: Hips And Legs',
        about: 'Four questions in fifteen minutes; 70% opens the next module.',
        minutes: 15,
        see: ['The Hip Flexors', 'The Hamstrings'],
      },
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
})

const backAndTrunk = (file: FileAddress): ModulePlan => ({
  key: 'back_and_trunk',
  title: 'Back And Trunk',
  about: 'What bends, what turns, and what should stay where it is.',
  after: ['hips_and_legs'],
  lessons: [
    text(
      {
        title: 'The Long Back Muscles',
        about: 'How to round a back slowly, from the pelvis to the neck, and when to leave it alone.',
        minutes: 10,
      },
      picture(file, 'childs-pose.png', "Child's pose with support"),
      'The **erector spinae** hold a person upright all day. They let go when they are no longer needed: support the chest, then wait.',
      list(
        'A bolster under the chest does more than a hand on the back.',
        'Ask for breath into the lower ribs; the range comes by itself.',
        'Pain that runs below the knee ends the stretch.',
      ),
    ),
    text(
      {
        title: 'Turning Without Forcing',
        about: 'Where rotation happens in the spine, and how to guide it from the ribs.',
        minutes: 10,
      },
      'The low back turns about ten degrees, the ribs more than thirty. Lead with the ribs; the pelvis stays heavy.',
      '1. Knees together, feet on the table.\n2. One hand on the lower ribs, one on the far shoulder.\n3. Turn on the way out of the breath, and wait on the way in.',
      '> No thrust, ever. What does not come with the breath does not come today.',
    ),
    lesson(
      'interactive',
      {
        title: 'The Back Of The Body',
        about: 'The same game from behind: four muscles by what they do.',
        minutes: 6,
      },
      {
        gameType: 'body_map',
        difficulty: 'hard',
        instructions: 'Mark the muscle that is asked for.',
        gameData: {
          view: 'back',
          targets: [
            { muscle: 'latissimus_dorsi', prompt: 'It draws the arm down and back.' },
            { muscle: 'gluteus_maximus', prompt: 'It brings the hip through when you stand up.' },
            { muscle: 'rhomboids', prompt: 'They bring the shoulder blades together.' },
            { muscle: 'erector_spinae', prompt: 'They hold the back upright.' },
          ],
        },
      },
    ),
  ],
})

const neckAndShoulders = (file: FileAddress): ModulePlan => ({
  key: 'neck_and_shoulders',
  title: 'Neck And Shoulders',
  about: 'Small muscles, careful hands.',
  after: ['hips_and_legs'],
  lessons: [
    text(
      {
        title: 'The Neck',
        about: 'Steady the shoulder and let the weight of the head do the rest.',
        minutes: 10,
      },
      picture(file, 'neck.png', 'Ear towards the shoulder'),
      'Never pull on a head. Steady the shoulder, and let the weight of the head do the rest.',
      '1. Sit the customer upright.\n2. One hand on the far shoulder.\n3. Ear towards the shoulder; three slow breaths.',
      'Dizziness, a change of sight or nausea: stop, let the customer lie down, and do not go on with the neck that day.',
    ),
    lesson(
      'interactive',
      {
        title: 'Muscles And What They Do',
        about: 'Match four muscles of the shoulder girdle with their movement.',
        minutes: 8,
      },
      {
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
    ),
    lesson(
      'interactive',
      {
        title: 'Flashcards: Shoulder Girdle',
        about: 'Five cards to say aloud before you turn them.',
        minutes: 8,
      },
      {
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
            {
              front: 'Which four muscles keep the arm in its socket?',
              back: 'The rotator cuff: supraspinatus, infraspinatus, teres minor, subscapularis.',
            },
            {
              front: 'Where do you hold an arm that you lift?',
              back: 'Above the elbow and at the wrist, so that no joint hangs between your hands.',
            },
            {
              front: 'When is an overhead stretch left out?',
              back: 'After a dislocation, and whenever the arm does not go up by itself without pain.',
            },
          ],
        },
      },
    ),
  ],
})
