import { z } from 'zod'

/** A bounding box on the map as `south,west,north,east`. The server validates it. */
export const Box = z.string().max(120)

/** The refusal for an invalid bounding box. */
export const BAD_BOX = [
  400,
  'The bounding box must be south,west,north,east in degrees: four numbers, south below north and west below east, within 90 and 180.',
] as const
