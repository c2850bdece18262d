import {
  type ContentData,
  type ContentType,
  contentAfterTypeChange,
  type MixedComponent,
  type TypedContent,
} from '@limber/contract/training/content.ts'
import type { createLesson, putLesson, UpdateLesson, updateLesson } from '@limber/contract/training/lesson.ts'
import type { StyleNote } from '@limber/contract/training/values.ts'
import type { Db } from '#platform/db.ts'
import { refuse } from '#platform/refusal.ts'
import { ContentFault, prepareContent, quizzesOf, type SavedContent, sheetsOf } from './content.rules.ts'
import { given } from './given.ts'
import {
  findLessonIds,
  hasDependents,
  isLessonKeyTaken,
  type LessonChange,
  readLessonRequirements,
  saveLesson,
  setAssetUses,
  setLessonPrerequisites,
  setLessonReferences,
  type WholeLesson,
} from './lesson.queries.ts'
import { findModule } from './module.queries.ts'
import { faultOfPrerequisites } from './prerequisite.rules.ts'
import { readSheets } from './style-thread.ts'

type SavingCall = typeof createLesson | typeof updateLesson | typeof putLesson

/** Prepares content, or refuses it in the call's words. */
export async function prepare(
  call: SavingCall,
  type: ContentType,
  content: ContentData,
  hosts: ReadonlySet<string>,
): Promise<SavedContent> {
  // The pair was parsed by the schema of its type.
  const clean = await readSheets(sheetsOf({ content_type: type, content_data: content } as TypedContent))
  try {
    return prepareContent(type, content, hosts, clean)
  } catch (error) {
    if (error instanceof ContentFault) throw refuse(call, error.code, { words: error.words })
    throw error
  }
}

/** The columns of prepared content. The settings of a quiz rule, and the lesson mirrors them. */
export function columnsOf(
  type: ContentType,
  saved: SavedContent,
): LessonChange & { content_type: ContentType; content: string } {
  const [own] = type === 'quiz' ? quizzesOf({ content_type: 'quiz', content_data: saved.content as never }) : []
  return {
    content_type: type,
    content: JSON.stringify(saved.content),
    styles: saved.styles,
    question_count: saved.questionCount,
    allows_html: saved.allowsHtml,
    ...(own && { passing_score: own.quiz.passingScore, max_attempts: own.quiz.maxAttempts }),
  }
}

interface Place {
  courseId: number
  moduleId: number
  lesson: { id: number | undefined; title: string }
}

/** Refuses prerequisites outside the module or in a circle, and references outside the course. */
export async function checkRelations(
  call: SavingCall,
  db: Db,
  { courseId, moduleId, lesson }: Place,
  {
    prerequisites,
    references,
  }: { prerequisites?: readonly number[] | undefined; references?: readonly number[] | undefined },
) {
  const own = lesson.id === undefined ? 'new' : String(lesson.id)
  if (prerequisites && prerequisites.length > 0) {
    const nodes = (await readLessonRequirements(db, moduleId)).map(({ id, ...rest }) => ({ key: String(id), ...rest }))
    const fault = faultOfPrerequisites(nodes, { key: own, title: lesson.title }, prerequisites.map(String))
    if (fault?.code === 'own') throw refuse(call, 'own_prerequisite')
    if (fault?.code === 'unknown') throw refuse(call, 'no_such_lesson', { words: { id: fault.key } })
    if (fault?.code === 'cycle') throw refuse(call, 'prerequisite_cycle', { words: { path: fault.path } })
  }
  if (references && references.length > 0) {
    if (references.some((id) => id === lesson.id)) throw refuse(call, 'own_reference')
    const known = await findLessonIds(db, courseId, references)
    const unknown = references.find((id) => !known.has(id))
    if (unknown !== undefined) throw refuse(call, 'no_such_reference', { words: { id: unknown } })
  }
}

/** The module to which a change moves the lesson; nothing when it stays. */
async function findNewModule(
  call: typeof updateLesson | typeof putLesson,
  db: Db,
  before: WholeLesson,
  key: string | undefined,
) {
  if (key === undefined || key === before.module_key) return undefined
  const module = await findModule(db, before.course_id, key)
  if (!module) throw refuse(call, 'no_such_module', { words: { key } })
  if (await hasDependents(db, before.id)) throw refuse(call, 'has_dependents')
  if (await isLessonKeyTaken(db, module.id, before.lesson_key))
    throw refuse(call, 'key_taken', { words: { key: before.lesson_key } })
  return module.id
}

type Change = Omit<UpdateLesson, 'lesson_id'>

interface NextContent {
  type: ContentType
  content: ContentData
  /** Components that wait for the lesson to be mixed again; `undefined` leaves those that wait as they are. */
  kept: MixedComponent[] | null | undefined
}

/** The content after a change: what was sent, or the defaults of a new type; mixed components are kept aside. */
function nextContent(before: WholeLesson, change: Change): NextContent | undefined {
  const type = change.content_type ?? before.content_type
  const isOther = type !== before.content_type
  if (!isOther && change.content_data === undefined) return undefined
  const content =
    change.content_data ?? contentAfterTypeChange(type, type === 'mixed' ? (before.kept_components ?? []) : [])
  if (!isOther) return { type, content, kept: undefined }
  const components = 'components' in before.content ? before.content.components : undefined
  return { type, content, kept: type === 'mixed' ? null : components && components.length > 0 ? components : undefined }
}

/** Writes a change of a lesson that is held, and gives back what was taken out of its styles. */
export async function changeLesson(
  call: typeof updateLesson | typeof putLesson,
  db: Db,
  before: WholeLesson,
  change: Change,
  { now, mediaHosts }: { now: Date; mediaHosts: ReadonlySet<string> },
): Promise<StyleNote[]> {
  if (change.course_key !== undefined && change.course_key !== before.course_key) throw refuse(call, 'other_course')
  if (change.lesson_key !== undefined && change.lesson_key !== before.lesson_key) throw refuse(call, 'key_locked')
  const newModule = await findNewModule(call, db, before, change.module_key)
  const moduleId = newModule ?? before.module_id
  const lesson = { id: before.id, title: change.title ?? before.title }
  // A lesson that moves leaves its prerequisites behind: they belong to the other module.
  const prerequisites = change.prerequisites ?? (newModule === undefined ? undefined : [])
  const relations = { prerequisites, references: change.references }
  await checkRelations(call, db, { courseId: before.course_id, moduleId, lesson }, relations)
  const next = nextContent(before, change)
  const saved = next && (await prepare(call, next.type, next.content, mediaHosts))
  if (prerequisites) await setLessonPrerequisites(db, before.id, moduleId, [])
  await saveLesson(
    db,
    before.id,
    {
      ...fieldsOf(change, next?.type ?? before.content_type),
      ...(newModule !== undefined && { module_id: newModule }),
      ...(next && saved && columnsOf(next.type, saved)),
      ...(next?.kept !== undefined && { kept_components: next.kept && JSON.stringify(next.kept) }),
    },
    now,
  )
  if (prerequisites) await setLessonPrerequisites(db, before.id, moduleId, prerequisites)
  if (change.references) await setLessonReferences(db, before.id, before.course_id, change.references)
  if (saved) await setAssetUses(db, before.id, saved.files)
  return saved?.notes ?? []
}

function fieldsOf(change: Change, type: ContentType): LessonChange {
  const { title, description, duration_minutes, is_required, is_active, passing_score, max_attempts } = change
  const rest = given({ title, description, duration_minutes, is_required, is_active })
  return type === 'quiz' ? rest : { ...rest, ...given({ passing_score, max_attempts }) }
}
