import type { StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'

type Requirements = StretcherDetail['requirements']

/** Whether a required course is completed, or a required certification is valid today. */
export const isMet = (one: Requirements['courses'][number] | Requirements['certifications'][number]) =>
  'state' in one ? one.state === 'valid' || one.state === 'expiring' : one.completedAt !== null
