import { EnrolmentState } from '@limber/contract/training/learners/enrolment.ts'
import { z } from 'zod'

const text = z.string().max(200).catch('')
const id = z.coerce.number().int().min(0).catch(0)

/** What of Training Management stands in the URL. */
export const TrainingSearch = z.object({
  tab: z.enum(['courses', 'modules', 'lessons', 'analytics']).catch('courses'),
  /** The selected course. */
  course: text,
  /** The module whose lessons are shown; all of them unless told. */
  module: text,
  q: text,
  /** The record whose form is open. */
  edit: text,
  lesson: id,
  /** The quiz whose questions are managed. */
  quiz: id,
  /** What a link leads to: the component of a mixed lesson, from 1, and the question of a quiz. */
  part: id,
  question: text,
  /** The course that is previewed, and whose theme is edited. */
  preview: text,
  theme: text,
  /** Of the Analytics tab: figures of the course, or its learners with their filter and page. */
  view: z.enum(['figures', 'learners']).catch('figures'),
  state: z.enum(['', ...EnrolmentState.options]).catch(''),
  page: z.coerce.number().int().min(1).catch(1),
})
export type TrainingSearch = z.infer<typeof TrainingSearch>
export type ChangeSearch = (change: Partial<TrainingSearch>, how?: { replace?: boolean }) => void
export type TrainingTab = TrainingSearch['tab']
/** Selects a tab, and what else of the URL changes with it. */
export type OpenTab = (tab: TrainingTab, more?: Partial<TrainingSearch>) => void
