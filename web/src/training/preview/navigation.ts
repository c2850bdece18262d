import type { CourseContents } from '@limber/contract/training/courses/course.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import type { Lesson } from '@limber/contract/training/lessons/lesson.ts'

/** A page of the preview: the course, a module, or a lesson. */
export type Place =
  | { page: 'course' }
  | { page: 'module'; module: number }
  | {
      page: 'lesson'
      module: number
      lesson: number
      /** The module was started on its own page, so Back leads there. */
      isFromModulePage?: true
    }

export interface ModuleLessons {
  module: Module
  lessons: readonly Lesson[]
}

export const START: Place = { page: 'course' }

/** Modules with their lessons, in order. */
export function groupByModule({ modules, lessons }: CourseContents): ModuleLessons[] {
  const byModule = Map.groupBy(lessons, ({ module_key }) => module_key)
  return modules.map((module) => ({ module, lessons: byModule.get(module.module_key) ?? [] }))
}

/** The index of the next module with lessons; empty modules are skipped. */
const nextFilled = (modules: readonly ModuleLessons[], from: number): number | undefined => {
  const found = modules.findIndex(({ lessons }, place) => place >= from && lessons.length > 0)
  return found === -1 ? undefined : found
}

export const hasLessons = (modules: readonly ModuleLessons[]) => nextFilled(modules, 0) !== undefined

/** The next page; undefined after the last lesson. */
export function nextPlace(modules: readonly ModuleLessons[], place: Place): Place | undefined {
  if (place.page === 'course') {
    const module = nextFilled(modules, 0)
    return module === undefined ? undefined : { page: 'module', module }
  }
  if (place.page === 'module') return { page: 'lesson', module: place.module, lesson: 0, isFromModulePage: true }
  const isLast = place.lesson + 1 >= (modules[place.module]?.lessons.length ?? 0)
  if (!isLast) return { ...place, lesson: place.lesson + 1 }
  const module = nextFilled(modules, place.module + 1)
  return module === undefined ? undefined : { page: 'lesson', module, lesson: 0 }
}

/** The previous page; a module page leads to the course. */
export function previousPlace(modules: readonly ModuleLessons[], place: Place): Place {
  if (place.page !== 'lesson') return START
  if (place.lesson > 0) return { ...place, lesson: place.lesson - 1 }
  const before = modules.findLastIndex(({ lessons }, at) => at < place.module && lessons.length > 0)
  if (place.isFromModulePage || before === -1) return { page: 'module', module: place.module }
  return { page: 'lesson', module: before, lesson: (modules[before]?.lessons.length ?? 1) - 1 }
}

/** The page of a lesson. */
export function findPlace(modules: readonly ModuleLessons[], id: number): Place | undefined {
  for (const [module, { lessons }] of modules.entries()) {
    const lesson = lessons.findIndex((one) => one.id === id)
    if (lesson !== -1) return { page: 'lesson', module, lesson }
  }
  return undefined
}
