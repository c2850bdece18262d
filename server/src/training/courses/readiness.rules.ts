import type { ReadinessItem } from '@limber/contract/training/courses/course.ts'
import type { TypedContent } from '@limber/contract/training/lessons/content.ts'
import { isMissingAnswer, isScorable } from '@limber/contract/training/lessons/question.ts'
import { filesIn, quizzesOf } from '../lessons/content.rules.ts'

interface CourseFacts {
  prerequisites: readonly { course_key: string; title: string; is_active: boolean }[]
}
interface ModuleFacts {
  id: number
  module_key: string
  title: string
  is_active: boolean
  is_required: boolean
  prerequisites: readonly string[]
}
interface LessonFacts {
  id: number
  module_id: number
  module_key: string
  title: string
  is_active: boolean
  is_required: boolean
  prerequisites: readonly number[]
  typed: TypedContent
}

type Kind = ReadinessItem['kind']
type Place = Partial<Omit<ReadinessItem, 'kind' | 'text'>>

const MAX_QUESTION_TEXT = 80
const shorten = (text: string) =>
  text.length > MAX_QUESTION_TEXT ? `${text.slice(0, MAX_QUESTION_TEXT).trimEnd()}…` : text

/** The URLs that a lesson or component needs to show anything. */
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
      // The built-in games contain lists and settings; only a custom game can contain anything.
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

/** The readiness checklist of a course. It warns only and blocks nothing. */
export function listReadinessItems(
  course: CourseFacts,
  modules: readonly ModuleFacts[],
  lessons: readonly LessonFacts[],
  /** Names of the files that lessons use and that exist. */
  files: ReadonlySet<string>,
): ReadinessItem[] {
  const items: ReadinessItem[] = []
  const nowhere = {
    course_key: null,
    module_id: null,
    module_key: null,
    lesson_id: null,
    component: null,
    question_id: null,
  }
  const add = (kind: Kind, text: string, place: Place = {}) => items.push({ kind, text, ...nowhere, ...place })
  for (const { course_key, title, is_active } of course.prerequisites)
    if (!is_active)
      add('prerequisite_not_in_production', `The prerequisite course “${title}” is not in production.`, {
        course_key,
      })
  if (modules.length === 0) add('no_modules', 'The course has no modules.')
  else if (lessons.length === 0) add('no_lessons', 'The course has no lessons.')
  const byKey = new Map(modules.map((module) => [module.module_key, module]))
  for (const module of modules) {
    const place = { module_id: module.id, module_key: module.module_key }
    if (lessons.length > 0 && !lessons.some(({ module_key }) => module_key === module.module_key))
      add('module_without_lessons', `The module “${module.title}” has no lessons.`, place)
    const closed = module.prerequisites.map((key) => byKey.get(key)).find((other) => other && !other.is_active)
    if (module.is_active && closed)
      add('inactive_prerequisite', `The module “${module.title}” requires “${closed.title}”, which is inactive.`, place)
  }
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]))
  for (const lesson of lessons) checkLesson(lesson, byId, files, add)
  return items
}

function checkLesson(
  lesson: LessonFacts,
  byId: ReadonlyMap<number, LessonFacts>,
  files: ReadonlySet<string>,
  add: (kind: Kind, text: string, place: Place) => void,
) {
  const name = `Lesson “${lesson.title}”`
  const place = { module_id: lesson.module_id, module_key: lesson.module_key, lesson_id: lesson.id }
  if (isEmpty(lesson.typed)) add('empty_lesson', `${name}: the content is empty.`, place)
  for (const { component, quiz } of quizzesOf(lesson.typed)) {
    const at = { ...place, component }
    if (quiz.questions.length === 0) add('quiz_without_questions', `${name}: the quiz has no questions.`, at)
    else if (!isScorable(quiz.questions))
      add('nothing_to_score', `${name}: no question of the quiz can be scored, so no one can pass it.`, at)
    for (const { id, trainingQuizQuestion } of quiz.questions.filter(isMissingAnswer))
      add(
        'question_without_answer',
        `${name}: the question “${shorten(trainingQuizQuestion)}” has no correct answer.`,
        {
          ...at,
          question_id: id,
        },
      )
  }
  const isMissing =
    mediaOf(lesson.typed).includes('') || filesIn(lesson.typed.content_data).some((name) => !files.has(name))
  if (isMissing) add('missing_media', `${name}: media is missing.`, place)
  const closed = lesson.prerequisites.map((id) => byId.get(id)).find((other) => other && !other.is_active)
  if (lesson.is_active && closed)
    add('inactive_prerequisite', `${name}: the prerequisite “${closed.title}” is inactive.`, place)
}
