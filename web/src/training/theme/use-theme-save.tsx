import type { Course, updateCourseTheme } from '@limber/contract/training/courses/course.ts'
import { completeTheme, type Theme } from '@limber/contract/training/theme/theme.ts'
import { currentOf } from '#platform/api/call-failure.ts'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { isSame } from '#ui/form/use-versioned-save.ts'
import { cutAtDifference } from '../courses/conflict-text.ts'
import { useNotices } from '../notices.tsx'
import { useSaveTheme } from '../training.api.ts'

const themeOf = (course: Course) => completeTheme(course.metadata.theme)

/** Saves a theme over the course as it was opened. If both workers changed the theme, the second one chooses. */
export function useThemeSave(base: Course, onClose: () => void) {
  const { course_key } = base
  const change = useSaveTheme()
  const { succeed } = useNotices()

  const send = async ({ version, ...theme }: Theme & { version: number }) => {
    const put = (over: number) => change.mutateAsync({ course_key, theme, version: over })
    const { data, notes } = await put(version).catch((error: unknown) => {
      const current = currentOf<typeof updateCourseTheme>(error)
      // Only other fields of the course changed, so saving the theme overwrites nothing.
      if (!current || !isSame(themeOf(current), themeOf(base))) throw error
      return put(current.version)
    })
    const taken = notes.map(({ line, text }) => `line ${line}: ${text}`).join(' ')
    succeed(`Theme saved successfully!${taken && ` Removed from the custom CSS: ${taken}`}`, data)
    return data
  }
  const { mutateAsync, conflict } = useConflict<typeof updateCourseTheme, Theme>({
    base,
    fieldsOf: themeOf,
    title: 'Someone else changed this theme',
    formatters: [
      ['Template', ({ templateType }) => templateType],
      ['Primary color', ({ primaryColor }) => primaryColor],
      ['Secondary color', ({ secondaryColor }) => secondaryColor],
      ['Background color', ({ backgroundColor }) => backgroundColor],
      ['Text color', ({ textColor }) => textColor],
      ['Font', ({ fontFamily }) => fontFamily],
      ['Border radius', ({ borderRadius }) => borderRadius],
      ['Custom CSS', ({ customCSS }) => cutAtDifference(customCSS, themeOf(base).customCSS)],
    ],
    send,
    onSaved: onClose,
  })
  return { save: mutateAsync, isSaving: change.isPending, conflict }
}
