import { badgeOf, listCourses } from '@limber/contract/training/courses/course.ts'
import { IconSchool } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'

/** The first few courses whose title or description contains the words. */
export async function findCourses(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { data } = await send(listCourses, { body: { search: text, limit: 5 } }, { signal })
  return data.map((course) => ({
    id: `course-${course.course_key}`,
    title: course.title,
    detail: badgeOf(course),
    icon: IconSchool,
    run: (go) => go(hrefTo('/worker/managing/training', { tab: 'modules', course: course.course_key })),
  }))
}
