import type { TypedContent } from '@limber/contract/training/content.ts'
import type { ReadinessItem } from '@limber/contract/training/course.ts'
import { isScored } from '@limber/contract/training/question.ts'
import { filesIn, quizzesOf } from './content.rules.ts'

interface CourseFacts {
  prerequisites: readonly { title: string; is_active: boolean }[]
}
interface ModuleFacts {
  module_key: string
  title: string
  is_active: boolean
  is_required: boolean
  prerequisites: readonly string[]
}
interface LessonFacts {
  id: number
  module_key: string
  title: string
  is_active: boolean
  is_required: boolean
  prerequisites: readonly number[]
  typed: TypedContent
}

type Kind = ReadinessItem['kind']

/** The addresses without which a lesson or a component shows nothing. */
function mediaOf({ content_type, content_data }: TypedContent): string[] {
  switch (content_type) {
    case 'video':
    case 'audio':
    case 'document':
      return [content_data.url]
    case 'mixed':
      return content_data.components.flatMap((component) =>
        component.type === 'video' || component.type === 'audio' ? [component.content.url] : [],
      )
    case 'text':
    case 'quiz':
    case 'interactive':
      return []
  }
}

function isEmpty({ content_type, content_data }: TypedContent): boolean {
  switch (content_type) {
    case 'text':
      return content_data.trainingLessonContent.trim() === ''
    case 'interactive': {
      // The data of our own games are lists and settings; only a game of somebody's own may be anything.
      const isFilled = (part: unknown) =>
        Array.isArray(part) ? part.length > 0 : content_data.gameType === 'custom' && part !== null
      return !Object.values(content_data.gameData).some(isFilled)
    }
    case 'mixed':
      return content_data.components.length === 0
    case 'video':
    case 'audio':
    case 'document':
    case 'quiz':
      return false
  }
}

/** What a course still lacks. It warns; nothing of it blocks. */
export function listLacks(
  course: CourseFacts,
  modules: readonly ModuleFacts[],
  lessons: readonly LessonFacts[],
  /** Files that lessons show and that are there. */
  files: ReadonlySet<string>,
): ReadinessItem[] {
  const items: ReadinessItem[] = []
  const add = (kind: Kind, text: string, at: { module_key?: string; id?: number } = {}) =>
    items.push({ kind, text, module_key: at.module_key ?? null, lesson_id: at.id ?? null })
  for (const { title, is_active } of course.prerequisites)
    if (!is_active)
      add('prerequisite_not_in_production', `The course “${title}” must be taken before, and is not in production.`)
  if (modules.length === 0) add('no_modules', 'The course has no modules.')
  else if (lessons.length === 0) add('no_lessons', 'The course has no lessons.')
  const byKey = new Map(modules.map((module) => [module.module_key, module]))
  for (const module of modules) {
    if (lessons.length > 0 && !lessons.some(({ module_key }) => module_key === module.module_key))
      add('module_without_lessons', `The module “${module.title}” has no lessons.`, module)
    const closed = module.prerequisites.map((key) => byKey.get(key)).find((other) => other && !other.is_active)
    if (module.is_active && closed)
      add(
        'inactive_prerequisite',
        `The module “${module.title}” needs “${closed.title}”, which is switched off.`,
        module,
      )
  }
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]))
  for (const lesson of lessons) lacksOfLesson(lesson, byId, files, add)
  return items
}

function lacksOfLesson(
  lesson: LessonFacts,
  byId: ReadonlyMap<number, LessonFacts>,
  files: ReadonlySet<string>,
  add: (kind: Kind, text: string, at: LessonFacts) => void,
) {
  const name = `The lesson “${lesson.title}”`
  if (isEmpty(lesson.typed)) add('empty_lesson', `${name} is empty.`, lesson)
  for (const { quiz } of quizzesOf(lesson.typed)) {
    if (quiz.questions.length === 0) add('quiz_without_questions', `${name} has a quiz without questions.`, lesson)
    const open = quiz.questions.filter((question) => question.type !== 'short_answer' && !isScored(question)).length
    if (open > 0)
      add(
        'question_without_answer',
        `${name} has ${open === 1 ? 'a question' : `${open} questions`} without a right answer.`,
        lesson,
      )
  }
  const isMissing =
    mediaOf(lesson.typed).includes('') || filesIn(lesson.typed.content_data).some((name) => !files.has(name))
  if (isMissing) add('missing_media', `${name} lacks its media.`, lesson)
  const closed = lesson.prerequisites.map((id) => byId.get(id)).find((other) => other && !other.is_active)
  if (lesson.is_active && closed)
    add('inactive_prerequisite', `${name} needs “${closed.title}”, which is switched off.`, lesson)
}
