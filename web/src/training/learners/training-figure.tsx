import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import {
  exportTrainingFigure,
  listTrainingFigure,
  trainingFigures,
} from '@limber/contract/training/learners/training-figure.ts'
import { CustomerLink } from '#support/public.tsx'
import { FigureDialog, type FigureSet } from '#ui/figures/figure-dialog.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { trainingKey } from '../training.api.ts'

const set: FigureSet = {
  counted: trainingFigures,
  list: listTrainingFigure,
  file: exportTrainingFigure,
  key: trainingKey,
  hasSearch: true,
  text: (name, value) =>
    value === null ? '--' : name === 'completionTime' ? `${value.toFixed(1)} days` : formatInteger(value),
  nameOf: (_, row) => (row.userId === null ? row.name : <CustomerLink id={row.userId}>{row.name}</CustomerLink>),
}

/** The definition of a number of a course, and the learners or attempts behind it. */
export default function TrainingFigure({ state, course }: { state: OpenFigure; course: Course }) {
  return <FigureDialog set={set} query={{ course_key: course.course_key }} context={course.title} {...state} />
}
