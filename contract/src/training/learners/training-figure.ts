import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type FigureDefinition, figurePage, figureReply, figureSearch } from '#kit/figure.ts'
import { Key } from '../values.ts'

/** The figures of a course. */
export const trainingFigures = {
  enrolled: { label: 'Enrolled', formula: 'Learners who are enrolled in the course.' },
  started: { label: 'Started', formula: 'Enrolled learners who opened a lesson.' },
  completed: { label: 'Completed', formula: 'Enrolled learners who completed the course.' },
  completionTime: {
    label: 'Median completion time',
    formula: 'Median of the days from the first opened lesson to completion.',
    unit: 'days',
  },
  attempts: { label: 'Quiz attempts', formula: 'Submitted attempts of all quizzes of the course.' },
  passedAttempts: { label: 'Passed attempts', formula: 'Submitted attempts that passed.' },
} as const satisfies Record<string, FigureDefinition>

export type TrainingFigure = keyof typeof trainingFigures
const TrainingFigure = z.enum(Object.keys(trainingFigures) as [TrainingFigure, ...TrainingFigure[]])

export const listTrainingFigure = defineCall({
  method: 'GET',
  path: '/api/training/figures/:figure',
  summary: 'The learners or attempts behind a figure of a course',
  permission: 'training.manage',
  params: z.strictObject({ figure: TrainingFigure }),
  query: z.strictObject({ course_key: Key, ...figureSearch, ...figurePage }),
  reply: z.object(figureReply),
  refusals: { not_found: [404, 'This course does not exist.'] },
})

export const exportTrainingFigure = exportCall(listTrainingFigure, 'training-figure')
