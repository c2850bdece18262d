import type { CourseContents } from '@limber/contract/training/courses/course.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import type { Lesson } from '@limber/contract/training/lessons/lesson.ts'

/** The page of a preview: the course, a module, or a lesson of it. */
export type Place =
  | { page: 'course' }
  | { page: 'module'; module: number }
  | {
      page: 'lesson'
      module: number
      lesson: number
      /** The module was begun on its own page, to which the way back leads. */
      isBegun?: true
    }

export interface Chapter {
  module: Module
  lessons: readonly Lesson[]
}

export const START: Place = { page: 'course' }

/** Modules with their lessons, in their order. */
export function chaptersOf({ modules, lessons }: CourseContents): Chapter[] {
  const byModule = Map.groupBy(lessons, ({ module_key }) => module_key)
  return modules.map((module) => ({ module, lessons: byModule.get(module.module_key) ?? [] }))
}

/** The first module from there on that has lessons: one without is skipped. */
const nextFilled = (chapters: readonly Chapter[], from: number): number | undefined => {
  const found = chapters.findIndex(({ lessons }, place) => place >= from && lessons.length > 0)
  return found === -1 ? undefined : found
}

export const hasLessons = (chapters: readonly Chapter[]) => nextFilled(chapters, 0) !== undefined

/** One step on; nothing behind the very last lesson. */
export function stepOn(chapters: readonly Chapter[], place: Place): Place | undefined {
  if (place.page === 'course') {
    const module = nextFilled(chapters, 0)
    return module === undefined ? undefined : { page: 'module', module }
  }
  if (place.page === 'module') return { page: 'lesson', module: place.module, lesson: 0, isBegun: true }
  const isLast = place.lesson + 1 >= (chapters[place.module]?.lessons.length ?? 0)
  if (!isLast) return { ...place, lesson: place.lesson + 1 }
  const module = nextFilled(chapters, place.module + 1)
  return module === undefined ? undefined : { page: 'lesson', module, lesson: 0 }
}

/** One step back, to where the step on had come from; a module's page leads to the course. */
export function stepBack(chapters: readonly Chapter[], place: Place): Place {
  if (place.page !== 'lesson') return START
  if (place.lesson > 0) return { ...place, lesson: place.lesson - 1 }
  const before = chapters.findLastIndex(({ lessons }, at) => at < place.module && lessons.length > 0)
  if (place.isBegun || before === -1) return { page: 'module', module: place.module }
  return { page: 'lesson', module: before, lesson: (chapters[before]?.lessons.length ?? 1) - 1 }
}

/** Where a lesson stands. */
export function placeOf(chapters: readonly Chapter[], id: number): Place | undefined {
  for (const [module, { lessons }] of chapters.entries()) {
    const lesson = lessons.findIndex((one) => one.id === id)
    if (lesson !== -1) return { page: 'lesson', module, lesson }
  }
  return undefined
}
