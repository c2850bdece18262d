import { exportAssets } from '@limber/contract/training/assets/asset.ts'
import { exportCourses } from '@limber/contract/training/courses/course.ts'
import { exportEnrollments } from '@limber/contract/training/learners/enrollment.ts'
import { exportTrainingFigure, trainingFigures } from '@limber/contract/training/learners/training-figure.ts'
import { exporting, listed, NO_COLUMN } from '#platform/exports/export.ts'
import { figureColumns, figureFile } from '#platform/figures/figure.queries.ts'

export const trainingExports = [
  exporting(exportTrainingFigure, {
    rows: ({ rows }) => rows,
    columns: figureColumns,
    file: ({ params: { figure } }) => figureFile(trainingFigures[figure]),
  }),
  exporting(exportCourses, {
    rows: ({ data }) => data,
    columns: {
      course_key: 'Key',
      title: 'Title',
      description: 'Description',
      difficulty_level: 'Difficulty',
      estimated_duration_hours: 'Hours',
      is_required: 'Required',
      is_active: 'Active',
      prerequisites: [['Prerequisites', listed]],
      trainingStylesheet: NO_COLUMN,
      metadata: NO_COLUMN,
      styles: NO_COLUMN,
      moduleCount: 'Modules',
      lessonCount: 'Lessons',
      enrolledCount: 'Enrolled',
      learningCount: 'Learning',
      created_at: 'Created',
      updated_at: 'Changed',
      version: NO_COLUMN,
    },
  }),
  exporting(exportEnrollments, {
    rows: ({ data }) => data,
    columns: {
      user_id: 'User ID',
      name: 'Name',
      email: 'Email',
      state: 'State',
      enrolled_at: 'Enrolled',
      started_at: 'Started',
      completed_at: 'Completed',
      last_seen_at: 'Last seen',
      lessons_done: 'Lessons completed',
      lessons: 'Lessons',
      stuck: [['Stuck on', (quizzes) => listed(quizzes.map(({ lesson_title }) => lesson_title))]],
    },
  }),
  exporting(exportAssets, {
    rows: ({ assets }) => assets,
    columns: {
      id: 'ID',
      type: 'Type',
      filename: 'File',
      url: 'Link',
      course_key: 'Course',
      lesson_id: 'Lesson ID',
      metadata: [
        ['Bytes', ({ finalSize }) => finalSize],
        ['Original bytes', ({ originalSize }) => originalSize],
        ['Media type', ({ mimeType }) => mimeType],
        ['Quality', ({ quality }) => quality],
        ['Width', ({ width }) => width],
        ['Height', ({ height }) => height],
        ['Seconds', ({ duration }) => duration],
        ['Pages', ({ pages }) => pages],
      ],
      usedIn: 'Used in lessons',
      uploaded_by: 'Uploaded by',
      created_at: 'Uploaded',
    },
  }),
]
