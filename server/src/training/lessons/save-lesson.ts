import {
  type ContentData,
  type ContentOf,
  type ContentType,
  contentAfterTypeChange,
  defaultContent,
  type MixedComponent,
  type TypedContent,
} from '@limber/contract/training/lessons/content.ts'
import type { createLesson, putLesson, UpdateLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import type { StyleNote } from '@limber/contract/training/values.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { findModule } from '../courses/module.queries.ts'
import { omitUndefined } from '../courses/omit-undefined.ts'
import { findPrerequisiteFault } from '../courses/prerequisite.rules.ts'
import { createCleaner } from '../theme/style-thread.ts'
import { assignIds } from './component.rules.ts'
import { ContentError, filesIn, prepareContent, quizzesOf, type SavedContent, sheetsOf } from './content.rules.ts'
import {
  type FullLesson,
  findLessonIds,
  hasDependents,
  isLessonKeyTaken,
  type LessonChange,
  readLessonRequirements,
  saveLesson,
  setAssetUses,
  setLessonPrerequisites,
  setLessonReferences,
} from './lesson.queries.ts'

type SavingCall = typeof createLesson | typeof updateLesson | typeof putLesson

/** Prepares content, or throws the refusal of the call. */
export async function prepare(
  call: SavingCall,
  type: ContentType,
  content: ContentData,
  hosts: ReadonlySet<string>,
): Promise<SavedContent> {
  const clean = await createCleaner(sheetsOf({ content_type: type, content_data: content } as TypedContent))
  try {
    return prepareContent(type, content, hosts, clean)
  } catch (error) {
    if (error instanceof ContentError) throw refuse(call, error.code, { values: error.values })
    throw error
  }
}

/** The columns for prepared content. For a quiz, its own settings win and are copied to the lesson. */
export function columnsOf(
  type: ContentType,
  saved: SavedContent,
): LessonChange & { content_type: ContentType; content: string } {
  const [own] =
    type === 'quiz' ? quizzesOf({ content_type: 'quiz', content_data: saved.content as ContentOf<'quiz'> }) : []
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

/** Refuses prerequisites outside the module or in a loop, and references outside the course. */
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
    const fault = findPrerequisiteFault(nodes, { key: own, title: lesson.title }, prerequisites.map(String))
    if (fault?.code === 'own') throw refuse(call, 'own_prerequisite')
    if (fault?.code === 'unknown') throw refuse(call, 'no_such_lesson', { values: { id: fault.key } })
    if (fault?.code === 'cycle') throw refuse(call, 'prerequisite_cycle', { values: { path: fault.path } })
  }
  if (references && references.length > 0) {
    if (references.some((id) => id === lesson.id)) throw refuse(call, 'own_reference')
    const known = await findLessonIds(db, courseId, references)
    const unknown = references.find((id) => !known.has(id))
    if (unknown !== undefined) throw refuse(call, 'no_such_reference', { values: { id: unknown } })
  }
}

/** The module a change moves the lesson to; undefined if it stays. */
async function findNewModule(
  call: typeof updateLesson | typeof putLesson,
  db: Db,
  before: FullLesson,
  key: string | undefined,
) {
  if (key === undefined || key === before.module_key) return undefined
  const module = await findModule(db, before.course_id, key)
  if (!module) throw refuse(call, 'no_such_module', { values: { key } })
  if (await hasDependents(db, before.id)) throw refuse(call, 'has_dependents')
  if (await isLessonKeyTaken(db, module.id, before.lesson_key))
    throw refuse(call, 'key_taken', { values: { key: before.lesson_key } })
  return module.id
}

type Change = Omit<UpdateLesson, 'lesson_id'>

/** The components of a mixed lesson, or those kept from when it was mixed. */
const componentsOf = ({ content, kept_components }: FullLesson): MixedComponent[] =>
  'components' in content ? content.components : (kept_components ?? [])

/** Gives every component of mixed content an id; other content is unchanged. */
export const withComponentIds = (content: ContentData, previous: readonly MixedComponent[], now: Date): ContentData =>
  'components' in content ? { ...content, components: assignIds(content.components, previous, now.getTime()) } : content

/** The content after a change: what was sent, or the defaults of a new type. Undefined: no change. */
function nextContent(before: FullLesson, change: Change, type: ContentType, now: Date): ContentData | undefined {
  if (type === before.content_type && change.content_data === undefined) return undefined
  const content = change.content_data ?? contentAfterTypeChange(type, before.kept_components ?? [])
  return withComponentIds(content, componentsOf(before), now)
}

/** Prepares the kept components of a lesson that is not mixed, with the same checks as visible ones. */
export async function prepareKept(
  call: SavingCall,
  components: readonly MixedComponent[],
  previous: readonly MixedComponent[],
  { now, mediaHosts }: Saving,
): Promise<MixedComponent[] | null> {
  if (components.length === 0) return null
  const mixed = withComponentIds({ ...defaultContent('mixed'), components: [...components] }, previous, now)
  const { content } = await prepare(call, 'mixed', mixed, mediaHosts)
  return 'components' in content ? content.components : null
}

/** The kept components after a change; `undefined` leaves them unchanged. */
async function nextKept(
  call: SavingCall,
  before: FullLesson,
  change: Change,
  type: ContentType,
  saving: Saving,
): Promise<MixedComponent[] | null | undefined> {
  if (type === 'mixed') return before.kept_components ? null : undefined
  const previous = componentsOf(before)
  if (change.kept_components) return prepareKept(call, change.kept_components, previous, saving)
  return before.content_type === 'mixed' && previous.length > 0 ? previous : undefined
}

interface Saving {
  now: Date
  mediaHosts: ReadonlySet<string>
}

/** Saves a change to a locked lesson; returns what was removed from its styles. */
export async function changeLesson(
  call: typeof updateLesson | typeof putLesson,
  db: Db,
  before: FullLesson,
  change: Change,
  saving: Saving,
): Promise<StyleNote[]> {
  const { now, mediaHosts } = saving
  if (change.course_key !== undefined && change.course_key !== before.course_key) throw refuse(call, 'other_course')
  if (change.lesson_key !== undefined && change.lesson_key !== before.lesson_key) throw refuse(call, 'key_locked')
  const newModule = await findNewModule(call, db, before, change.module_key)
  const moduleId = newModule ?? before.module_id
  const lesson = { id: before.id, title: change.title ?? before.title }
  // Prerequisites belong to the module, so a lesson that moves loses them.
  const prerequisites = change.prerequisites ?? (newModule === undefined ? undefined : [])
  const relations = { prerequisites, references: change.references }
  await checkRelations(call, db, { courseId: before.course_id, moduleId, lesson }, relations)
  const type = change.content_type ?? before.content_type
  const next = nextContent(before, change, type, now)
  const saved = next && (await prepare(call, type, next, mediaHosts))
  const kept = await nextKept(call, before, change, type, saving)
  if (prerequisites) await setLessonPrerequisites(db, before.id, moduleId, [])
  await saveLesson(
    db,
    before.id,
    {
      ...fieldsOf(change, type),
      ...(newModule !== undefined && { module_id: newModule }),
      ...(saved && columnsOf(type, saved)),
      ...(kept !== undefined && { kept_components: kept && JSON.stringify(kept) }),
    },
    now,
  )
  if (prerequisites) await setLessonPrerequisites(db, before.id, moduleId, prerequisites)
  if (change.references) await setLessonReferences(db, before.id, before.course_id, change.references)
  if (saved || kept !== undefined)
    await setAssetUses(db, before.id, {
      shown: saved?.files ?? filesIn(before.content),
      kept: filesIn(kept === undefined ? before.kept_components : kept),
    })
  return saved?.notes ?? []
}

function fieldsOf(change: Change, type: ContentType): LessonChange {
  const { title, description, duration_minutes, is_required, is_active, passing_score, max_attempts } = change
  const rest = omitUndefined({ title, description, duration_minutes, is_required, is_active })
  return type === 'quiz' ? rest : { ...rest, ...omitUndefined({ passing_score, max_attempts }) }
}
