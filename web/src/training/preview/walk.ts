import type { CourseContents } from '@limber/contract/training/course.ts'
import type { Lesson } from '@limber/contract/training/lesson.ts'
import type { Module } from '@limber/contract/training/module.ts'

/** The page of a preview: the course, a module, or a lesson of it. */
export type Place =
  | { page: 'course' }
  | { page: 'module'; module: number }
  | { page: 'lesson'; module: number; lesson: number }

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
  if (place.page === 'module') return { page: 'lesson', module: place.module, lesson: 0 }
  const isLast = place.lesson + 1 >= (chapters[place.module]?.lessons.length ?? 0)
  if (!isLast) return { ...place, lesson: place.lesson + 1 }
  const module = nextFilled(chapters, place.module + 1)
  return module === undefined ? undefined : { page: 'lesson', module, lesson: 0 }
}

/** One step back: through the lessons to their module, from there to the course. */
export function stepBack(place: Place): Place {
  if (place.page === 'lesson')
    return place.lesson > 0 ? { ...place, lesson: place.lesson - 1 } : { page: 'module', module: place.module }
  return START
}

/** Where a lesson stands. */
export function placeOf(chapters: readonly Chapter[], id: number): Place | undefined {
  for (const [module, { lessons }] of chapters.entries()) {
    const lesson = lessons.findIndex((one) => one.id === id)
    if (lesson !== -1) return { page: 'lesson', module, lesson }
  }
  return undefined
}
