import { IconSchool } from '@tabler/icons-react'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import type { Verb } from '#platform/routing/verbs.ts'
import { findCourses } from './palette-search.ts'
import type { TrainingSearch } from './training-search.ts'

const common = { permission: 'training.manage', icon: IconSchool, screen: '/worker/managing/training' } as const
const courseOf = ({ id }: PaletteItem) => id.slice('course-'.length)

/** Courses, each with a tab of it. */
const onCourse =
  (search: Partial<TrainingSearch>) =>
  async (text: string, signal: AbortSignal): Promise<PaletteItem[]> =>
    (await findCourses(text, signal)).map((item) => ({
      ...item,
      run: (go) => go(hrefTo('/worker/managing/training', { ...search, course: courseOf(item) })),
    }))

const record = (id: string, title: string, search: Partial<TrainingSearch>, calls: string[], words?: string): Verb => ({
  ...common,
  id,
  title,
  ...(words && { words }),
  calls: calls.map((call) => `POST /api/training/${call}`),
  options: onCourse(search),
})

export const trainingVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'course-new',
    title: 'New course',
    calls: ['POST /api/training/courses/create'],
    run: (go) => go(hrefDoing('/worker/managing/training', 'new')),
  },
  record(
    'course-change',
    'Change course…',
    { tab: 'modules' },
    ['courses/update', 'courses/delete', 'update-course-theme'],
    'theme delete',
  ),
  record('module-change', 'Add or change modules of…', { tab: 'modules' }, [
    'modules/create',
    'modules/update',
    'modules/delete',
    'modules/reorder',
  ]),
  record('lesson-change', 'Add or change lessons of…', { tab: 'lessons' }, [
    'lessons/create',
    'lessons/update',
    'lessons/delete',
    'lessons/reorder',
  ]),
  record(
    'learner-enroll',
    'Enroll learners in…',
    { tab: 'analytics', view: 'learners' },
    ['enrolments/create', 'enrolments/remove', 'attempts/grant'],
    'remove another attempt',
  ),
]
