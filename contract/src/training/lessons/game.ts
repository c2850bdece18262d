import { z } from 'zod'
import { Text } from '#kit/values.ts'
import { MediaUrl } from '../values.ts'

export const GameType = z.enum(['flashcards', 'match_pairs', 'order_steps', 'body_map', 'custom'])
export type GameType = z.infer<typeof GameType>

export const BodyView = z.enum(['front', 'back'])
export type BodyView = z.infer<typeof BodyView>

/** The parts that can be marked on the body map, by view. */
export const muscles = {
  front: [
    'neck',
    'deltoids',
    'pectorals',
    'biceps',
    'forearms',
    'abdominals',
    'obliques',
    'hip_flexors',
    'adductors',
    'quadriceps',
    'tibialis_anterior',
  ],
  back: [
    'trapezius',
    'rear_deltoids',
    'rhomboids',
    'triceps',
    'latissimus_dorsi',
    'erector_spinae',
    'gluteus_medius',
    'gluteus_maximus',
    'hamstrings',
    'calves',
  ],
} as const satisfies Record<BodyView, readonly string[]>
export type Muscle = (typeof muscles)[BodyView][number]

const Muscle = z.enum([...muscles.front, ...muscles.back])

export const Flashcards = z.strictObject({
  cards: z
    .array(z.strictObject({ front: Text(500), back: Text(2000), image: MediaUrl.default('') }))
    .max(200)
    .default([]),
})
export const MatchPairs = z.strictObject({
  pairs: z
    .array(z.strictObject({ left: Text(300), right: Text(300) }))
    .max(50)
    .default([]),
})
/** The steps in the correct order; the game shuffles them. */
export const OrderSteps = z.strictObject({ steps: z.array(Text(500)).max(50).default([]) })
export const BodyMap = z
  .strictObject({
    view: BodyView.default('front'),
    targets: z
      .array(z.strictObject({ muscle: Muscle, prompt: Text(300) }))
      .max(50)
      .default([]),
  })
  .superRefine(({ view, targets }, context) => {
    targets.forEach(({ muscle }, index) => {
      if (!(muscles[view] as readonly string[]).includes(muscle))
        context.addIssue({
          code: 'custom',
          path: ['targets', index, 'muscle'],
          message: `is not visible from the ${view}`,
        })
    })
  })

export const MAX_GAME = 100_000

/** A custom game: any JSON object. */
export const CustomGame = z
  .record(z.string().max(200), z.unknown())
  .refine((game) => JSON.stringify(game).length <= MAX_GAME, 'must be at most 100,000 characters')

/** The data schema of each game type. */
export const gameSchemas = {
  flashcards: Flashcards,
  match_pairs: MatchPairs,
  order_steps: OrderSteps,
  body_map: BodyMap,
  custom: CustomGame,
} as const satisfies Record<GameType, z.ZodType>
export type GameData<T extends GameType = GameType> = z.output<(typeof gameSchemas)[T]>
