import { z } from 'zod'

/** A box on the map as `south,west,north,east`; the server looks whether it is one. */
export const Box = z.string().max(120)

/** What is said of a box that is none. */
export const BAD_BOX = [
  400,
  'The box must be south,west,north,east in degrees: four numbers, south below north and west below east, within 90 and 180.',
] as const
