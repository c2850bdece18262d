import { EnrollmentState } from '@limber/contract/training/learners/enrollment.ts'
import { z } from 'zod'

const text = z.string().max(200).catch('')
const id = z.coerce.number().int().min(0).catch(0)

/** The URL state of Training Management. */
export const TrainingSearch = z.object({
  tab: z.enum(['courses', 'modules', 'lessons', 'analytics']).catch('courses'),
  /** The selected course. */
  course: text,
  /** The module whose lessons are shown; empty shows all. */
  module: text,
  q: text,
  /** The record whose form is open. */
  edit: text,
  lesson: id,
  /** The quiz whose questions are managed. */
  quiz: id,
  /** The target of a link: the component of a mixed lesson (from 1), and the question of a quiz. */
  part: id,
  question: text,
  /** The course being previewed, and the course whose theme is being edited. */
  preview: text,
  theme: text,
  /** In the Analytics tab: figures, or learners with filter and page. */
  view: z.enum(['figures', 'learners']).catch('figures'),
  state: z.enum(['', ...EnrollmentState.options]).catch(''),
  /** The learner whose timeline is open. */
  learner: id,
  page: z.coerce.number().int().min(1).catch(1),
})
export type TrainingSearch = z.infer<typeof TrainingSearch>
export type ChangeSearch = (change: Partial<TrainingSearch>, how?: { replace?: boolean }) => void
export type TrainingTab = TrainingSearch['tab']
/** Opens a tab, with other changes to the URL. */
export type OpenTab = (tab: TrainingTab, more?: Partial<TrainingSearch>) => void
