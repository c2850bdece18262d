import {
  type CoursePlan,
  choice,
  type FileUrl,
  image,
  lesson,
  list,
  type ModulePlan,
  quiz,
  select,
  short,
  text,
  truth,
} from '../plan.ts'

export const anatomyForStretchers = (file: FileUrl): CoursePlan => ({
  key: 'anatomy_for_stretchers',
  title: 'Anatomy For Stretchers',
  about: 'The muscles you work with every day, what they do, and how far they stretch. Practical, not a Latin exam.',
  level: 'beginner',
  isRequired: true,
  isLive: true,
  modules: [hipsAndLegs(file), backAndTrunk(file), neckAndShoulders(file)],
})

const hipsAndLegs = (file: FileUrl): ModulePlan => ({
  key: 'hips_and_legs',
  title: 'Hips And Legs',
  about: 'Where most customers are tight: the front of the hip, the back of the thigh, and the calf.',
  lessons: [
    text(
      {
        title: 'The Hip Flexors',
        about: 'Why sitting shortens the front of the hip, and how to open it without straining the lower back.',
        minutes: 12,
      },
      image(file, 'hip-flexor.png', 'Half-kneeling hip flexor stretch'),
      'The **iliopsoas** lifts the knee. Sitting all day keeps it shortened for hours.',
      '## Technique',
      list(
        'Level the pelvis before you add any range.',
        'The customer should feel it in the *front* of the hip, never in the lower back.',
        'Hold for 30 to 45 seconds. Two rounds are enough.',
      ),
      '> If the lower back arches, you have gone too far.',
    ),
    text(
      {
        title: 'The Hamstrings',
        about: 'Three muscles from the sit bone to below the knee, and how to tell a muscle stretch from a nerve.',
        minutes: 12,
      },
      image(file, 'hamstring.png', 'Supine hamstring stretch'),
      'Three muscles run from the sit bone to below the knee. They bend the knee and extend the hip.',
      '| Position | The customer feels it in | Stop at |\n|---|---|---|\n| Knee slightly bent | the middle of the muscle | a pull behind the knee |\n| Knee straight | the entire back of the leg | tingling in the foot |',
      'Tingling comes from a nerve, not a muscle. Back off about ten degrees.',
    ),
    text(
      {
        title: 'Calves And Ankles',
        about: 'Two muscles, one tendon: why the angle of the knee decides which one you stretch.',
        minutes: 8,
      },
      image(file, 'calf.png', 'Calf stretch with a straight knee'),
      'The **gastrocnemius** crosses the knee. The **soleus** does not. Straighten the knee for the first and bend it for the second.',
      list(
        'Hold the heel, not the toes. Toes have joints of their own.',
        'Runners are often tighter on one side. Start with the easier one.',
        'Never stretch a calf that is hot, red, or swollen. See *Safety First*.',
      ),
    ),
    lesson(
      'interactive',
      {
        title: 'Find The Muscle',
        about: 'Find three muscles on the front of the body by what they do.',
        minutes: 6,
        after: ['The Hip Flexors', 'The Hamstrings'],
      },
      {
        gameType: 'body_map',
        instructions: 'Select the muscle that matches the description.',
        gameData: {
          view: 'front',
          targets: [
            { muscle: 'quadriceps', prompt: 'Straightens the knee.' },
            { muscle: 'hip_flexors', prompt: 'Lifts the knee.' },
            { muscle: 'adductors', prompt: 'Bring the legs together.' },
          ],
        },
      },
    ),
    quiz(
      {
        title: 'Check: Hips And Legs',
        about: 'Four questions in fifteen minutes. Score 70% to open the next module.',
        minutes: 15,
        see: ['The Hip Flexors', 'The Hamstrings'],
      },
      [
        choice(
          'hip-1',
          'Which muscle lifts the knee toward the chest?',
          ['Iliopsoas', 'Soleus', 'Rhomboids', 'Triceps'],
          0,
          'The iliopsoas flexes the hip.',
        ),
        truth(
          'hip-2',
          'Tingling in the foot during a hamstring stretch means the muscle is working well.',
          false,
          'Tingling comes from a nerve. Reduce the range.',
        ),
        select(
          'hip-3',
          'Which of these are hamstrings?',
          ['Biceps femoris', 'Semitendinosus', 'Rectus femoris', 'Semimembranosus'],
          [0, 1, 3],
          'The rectus femoris is on the front of the thigh.',
        ),
        short(
          'hip-4',
          'Where should the customer feel a hip flexor stretch: in front of the hip or in the lower back?',
          ['in front of the hip', 'front of the hip', 'in front', 'the front'],
          'They should feel nothing in the lower back.',
        ),
      ],
      { timeLimit: 15, randomizeQuestions: true },
    ),
  ],
})

const backAndTrunk = (file: FileUrl): ModulePlan => ({
  key: 'back_and_trunk',
  title: 'Back And Trunk',
  about: 'What bends, what rotates, and what should stay still.',
  after: ['hips_and_legs'],
  lessons: [
    text(
      {
        title: 'The Long Back Muscles',
        about: 'How to round the back slowly from pelvis to neck, and when to leave it alone.',
        minutes: 10,
      },
      image(file, 'childs-pose.png', "Child's pose with support"),
      'The **erector spinae** keep a person upright all day. They relax when nothing needs holding up. Support the chest, then wait.',
      list(
        'A bolster under the chest does more than a hand on the back.',
        'Ask the customer to breathe into the lower ribs. The range will follow.',
        'Stop if pain runs below the knee.',
      ),
    ),
    text(
      {
        title: 'Turning Without Forcing',
        about: 'Where the spine rotates, and how to guide the rotation from the ribs.',
        minutes: 10,
      },
      'The lower back rotates about ten degrees, the rib cage more than thirty. Lead with the ribs and keep the pelvis still.',
      '1. Knees together, feet on the table.\n2. One hand on the lower ribs, one on the far shoulder.\n3. Rotate on the exhale and pause on the inhale.',
      '> Never thrust. If the range does not come with the breath, leave it for another day.',
    ),
    lesson(
      'interactive',
      {
        title: 'The Back Of The Body',
        about: 'The same game from the back: find four muscles by what they do.',
        minutes: 6,
      },
      {
        gameType: 'body_map',
        difficulty: 'hard',
        instructions: 'Select the muscle that matches the description.',
        gameData: {
          view: 'back',
          targets: [
            { muscle: 'latissimus_dorsi', prompt: 'Pulls the arm down and back.' },
            { muscle: 'gluteus_maximus', prompt: 'Extends the hip when you stand up.' },
            { muscle: 'rhomboids', prompt: 'Bring the shoulder blades together.' },
            { muscle: 'erector_spinae', prompt: 'Keep the back upright.' },
          ],
        },
      },
    ),
  ],
})

const neckAndShoulders = (file: FileUrl): ModulePlan => ({
  key: 'neck_and_shoulders',
  title: 'Neck And Shoulders',
  about: 'Small muscles that need careful hands.',
  after: ['hips_and_legs'],
  lessons: [
    text(
      {
        title: 'The Neck',
        about: 'How to steady the shoulder and let the weight of the head do the rest.',
        minutes: 10,
      },
      image(file, 'neck.png', 'Ear toward the shoulder'),
      'Never pull on the head. Steady the shoulder and let the weight of the head do the rest.',
      '1. Sit the customer upright.\n2. One hand on the far shoulder.\n3. Ear toward the shoulder for three slow breaths.',
      'If the customer feels dizzy, nauseous, or has blurred vision: stop, help them lie down, and do no more neck work that day.',
    ),
    lesson(
      'interactive',
      {
        title: 'Muscles And What They Do',
        about: 'Match four muscles of the shoulder girdle to their movements.',
        minutes: 8,
      },
      {
        gameType: 'match_pairs',
        instructions: 'Match each muscle to its movement.',
        gameData: {
          pairs: [
            { left: 'Upper trapezius', right: 'Lifts the shoulder' },
            { left: 'Pectoralis major', right: 'Brings the arm across the chest' },
            { left: 'Latissimus dorsi', right: 'Pulls the arm down and back' },
            { left: 'Levator scapulae', right: 'Tilts the neck' },
          ],
        },
      },
    ),
    lesson(
      'interactive',
      {
        title: 'Flashcards: Shoulder Girdle',
        about: 'Five cards. Say the answer out loud before you flip each one.',
        minutes: 8,
      },
      {
        gameType: 'flashcards',
        difficulty: 'easy',
        instructions: 'Say the answer out loud, then flip the card.',
        gameData: {
          cards: [
            {
              front: 'Which muscle causes the rounded shoulders of desk workers?',
              back: 'The pectoralis minor. It pulls the shoulder blade forward.',
            },
            {
              front: 'What moves along when the arm goes up?',
              back: 'The shoulder blade. It rotates with the arm from about thirty degrees.',
            },
            {
              front: 'Which four muscles keep the arm in the socket?',
              back: 'The rotator cuff: supraspinatus, infraspinatus, teres minor, subscapularis.',
            },
            {
              front: 'Where do you hold an arm when you lift it?',
              back: 'Above the elbow and at the wrist, so that both joints are supported.',
            },
            {
              front: 'When do you skip an overhead stretch?',
              back: 'After a dislocation, or when the customer cannot raise the arm without pain.',
            },
          ],
        },
      },
    ),
  ],
})
