import {
  type Course,
  checkReadiness,
  getCourse,
  listCourses,
  type ReadinessItem,
} from '@limber/contract/training/courses/course.ts'
import { listModules, type Module } from '@limber/contract/training/courses/module.ts'
import { type ContentType, defaultContent } from '@limber/contract/training/lessons/content.ts'
import { getLesson, type Lesson, listLessons } from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { FakeServer } from '#platform/testing/testing.tsx'

const at = '2026-11-01T09:00:00.000Z'

export const makeCourse = (more: Partial<Course> = {}): Course => ({
  course_key: 'hip_basics',
  title: 'Hip Basics',
  description: 'How the hip moves.',
  difficulty_level: 'beginner',
  estimated_duration_hours: 2.5,
  is_required: false,
  is_active: false,
  prerequisites: [],
  trainingStylesheet: '',
  metadata: { theme: null, trainingStylesheet: '' },
  styles: '',
  moduleCount: 1,
  lessonCount: 1,
  enrolledCount: 0,
  learningCount: 0,
  created_at: at,
  updated_at: at,
  version: 3,
  ...more,
})

export const makeModule = (more: Partial<Module> = {}): Module => ({
  id: 1,
  course_key: 'hip_basics',
  module_key: 'anatomy',
  title: 'Anatomy',
  description: null,
  estimated_duration_minutes: 30,
  prerequisites: [],
  is_required: true,
  is_active: true,
  lessonCount: 1,
  position: 0,
  created_at: at,
  updated_at: at,
  version: 1,
  ...more,
})

export const makeLesson = (more: Partial<Lesson> = {}): Lesson => ({
  id: 11,
  course_key: 'hip_basics',
  module_key: 'anatomy',
  lesson_key: 'joints',
  title: 'Joints',
  description: null,
  content_type: 'text',
  content_data: defaultContent((more.content_type ?? 'text') as ContentType),
  duration_minutes: null,
  is_required: true,
  is_active: true,
  passing_score: null,
  max_attempts: 3,
  prerequisites: [],
  references: [],
  position: 0,
  questionCount: 0,
  allowsHtml: false,
  created_at: at,
  updated_at: at,
  version: 5,
  kept_components: [],
  styles: '',
  ...more,
})

export const makeQuestion = (more: Partial<Question> = {}): Question => ({
  id: '1700000000000',
  trainingQuizQuestion: 'Which muscle bends the elbow?',
  type: 'multiple_choice',
  options: ['Biceps', 'Triceps', 'Deltoid', 'Calf'],
  correctAnswer: 0,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: 'The biceps does.',
  points: 2,
  ...more,
})

/** An item of the readiness checklist. */
export const makeItem = (more: Partial<ReadinessItem> = {}): ReadinessItem => ({
  kind: 'empty_lesson',
  text: 'Lesson “Joints”: the content is empty.',
  course_key: null,
  module_id: 1,
  module_key: 'anatomy',
  lesson_id: 11,
  component: null,
  question_id: null,
  ...more,
})

interface TrainingData {
  courses: Course[]
  modules: Module[]
  lessons: Lesson[]
}

/** A fake server with courses, modules and lessons. Tests change `stored` to change what the screen reads. */
export function serveTraining(more: Partial<TrainingData> = {}) {
  const stored: TrainingData = { courses: [makeCourse()], modules: [makeModule()], lessons: [makeLesson()], ...more }
  const pagination = { page: 1, limit: 500, totalItems: 1, totalPages: 1 }
  const server = new FakeServer()
    .answer(listCourses, () => ({ data: stored.courses, pagination, mediaHosts: [] }))
    .answer(listModules, () => ({ data: stored.modules, pagination }))
    .answer(listLessons, () => ({ data: stored.lessons, pagination }))
    .answer(getLesson, ({ body }) => ({
      data: stored.lessons.find(({ id }) => id === body.lesson_id) ?? makeLesson({ id: body.lesson_id }),
    }))
    .answer(getCourse, ({ body }) => ({
      data: {
        course: stored.courses.find(({ course_key }) => course_key === body.course_key) ?? makeCourse(),
        modules: stored.modules,
        lessons: stored.lessons,
      },
    }))
    .answer(checkReadiness, { data: { badge: 'Ready for Production', canActivate: true, items: [] } })
  return { server, stored }
}
