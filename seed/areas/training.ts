import { contentSchemas } from '@limber/contract/training/lessons/content.ts'
import { isCorrect, isPassing, isScored, type Question, scoreOf } from '@limber/contract/training/lessons/question.ts'
import { FILES_PATH, toKey } from '@limber/contract/training/values.ts'
import { DAY, HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import { prepareContent, quizzesOf } from '@limber/server/training/lessons/content.rules.ts'
import { draftCourse, draftLesson, draftModule } from '@limber/server/training/training.factory.ts'
import { sql } from 'kysely'
import type { Random } from '../random.ts'
import type { SeedContext, Seeder } from '../seeder.ts'
import { planCourses } from '../training/courses.ts'
import { illustrations, makeBreathingAudio, makePdf } from '../training/media.ts'
import { type CoursePlan, hoursOf } from '../training/plan.ts'
import { makeVideo, VIDEO_SECONDS, VIDEO_SUBTITLES } from '../training/video.ts'

/** Six courses with files, and stretchers with every kind of progress. The same at every scale. */
export const training: Seeder = {
  name: 'Training',
  async seed(context) {
    const files = await storeFiles(context)
    const seeded = buildCourses(context, files)
    await seedLearners(context, seeded)
    for (const [table, rows] of Object.entries(seeded.rows)) await context.copy(table, rows)
    // Runs deferred constraint checks now. A table cannot be altered while checks are pending.
    await sql`set constraints all immediate`.execute(context.db)
  },
}

interface File {
  id: number
  name: string
  filename: string
  type: 'image' | 'video' | 'audio' | 'document' | 'other'
  mime_type: string
  size: number
  width: number | null
  height: number | null
  duration: number | null
  pages: number | null
}

/** Creates images, video, audio and PDF, and stores them if there is a storage. */
async function storeFiles({ storage, random: streamOf }: SeedContext): Promise<Map<string, File>> {
  const files = new Map<string, File>()
  if (!storage) return files
  const random = streamOf('training/files')
  const { default: sharp } = await import('sharp')
  const put = async (filename: string, bytes: Buffer, kind: Pick<File, 'type' | 'mime_type'> & Partial<File>) => {
    const letters = Array.from({ length: 26 }, () => random.pick([...'0123456789abcdefghjkmnpqrstvwxyz'])).join('')
    const name = `${letters}.${filename.split('.').at(-1)}`
    await storage.put(`training/${name}`, bytes, { type: kind.mime_type, size: bytes.length })
    const empty = { width: null, height: null, duration: null, pages: null }
    files.set(filename, { ...empty, ...kind, id: files.size + 1, name, filename, size: bytes.length })
  }
  for (const [filename, svg] of Object.entries(illustrations)) {
    const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
    await put(filename, png, { type: 'image', mime_type: 'image/png', width: 960, height: 540 })
  }
  const video = await makeVideo(sharp)
  await put('strap-work.webm', video, { type: 'video', mime_type: 'video/webm', duration: VIDEO_SECONDS })
  await put('strap-work.en.vtt', Buffer.from(VIDEO_SUBTITLES), { type: 'other', mime_type: 'text/vtt' })
  await put('breathing.wav', makeBreathingAudio(), { type: 'audio', mime_type: 'audio/wav', duration: 30 })
  const questions = [
    'Name and date of birth',
    'Surgery in the last six weeks?',
    'Medications?',
    'Are you pregnant?',
    'Where does it hurt, and for how long?',
    'What would you like to be able to do again?',
  ]
  await put('intake-sheet.pdf', makePdf(['Intake sheet', ...questions]), {
    type: 'document',
    mime_type: 'application/pdf',
    pages: 1,
  })
  return files
}

interface SeededLesson {
  id: number
  minutes: number
  quizzes: { component: number; questions: Question[]; passingScore: number; maxAttempts: number }[]
}
interface SeededCourse extends CoursePlan {
  id: number
  lessons: SeededLesson[]
}

function buildCourses({ calendar }: SeedContext, files: ReadonlyMap<string, File>) {
  const rows = {
    training_courses: [] as object[],
    training_course_prerequisites: [] as object[],
    training_modules: [] as object[],
    training_module_prerequisites: [] as object[],
    training_lessons: [] as object[],
    training_lesson_prerequisites: [] as object[],
    training_lesson_references: [] as object[],
    training_assets: [] as object[],
    training_asset_uses: [] as object[],
    training_enrolments: [] as object[],
    training_progress: [] as object[],
    training_attempts: [] as object[],
  }
  const courses: SeededCourse[] = []
  /** The first course that uses a file, by asset id. */
  const courseOfAsset = new Map<number, number>()
  const at = calendar.at(-400, 10 * 60)
  const fileOf = (name: string) => files.get(name)
  for (const plan of planCourses((name) => (fileOf(name) ? FILES_PATH + fileOf(name)?.name : ''))) {
    const course: SeededCourse = { ...plan, id: courses.length + 1, lessons: [] }
    rows.training_courses.push({
      id: course.id,
      ...draftCourse({
        course_key: plan.key,
        title: plan.title,
        description: plan.about,
        difficulty_level: plan.level,
        estimated_duration_hours: String(hoursOf(plan)),
        is_required: plan.isRequired,
        is_active: plan.isLive,
        theme: plan.theme ? JSON.stringify(plan.theme) : null,
        created_at: at,
        updated_at: at,
      }),
    })
    for (const key of plan.after ?? [])
      rows.training_course_prerequisites.push({
        course_id: course.id,
        requires_id: courses.find((one) => one.key === key)?.id,
      })
    const moduleIds = new Map<string, number>()
    const lessonIds = new Map<string, number>()
    for (const [position, module] of plan.modules.entries()) {
      const module_id = rows.training_modules.length + 1
      moduleIds.set(module.key, module_id)
      rows.training_modules.push({
        id: module_id,
        ...draftModule({
          course_id: course.id,
          module_key: module.key,
          title: module.title,
          description: module.about,
          estimated_duration_minutes: module.lessons.reduce((sum, { minutes }) => sum + minutes, 0) || null,
          position,
          created_at: at,
          updated_at: at,
        }),
      })
      for (const key of module.after ?? [])
        rows.training_module_prerequisites.push({ module_id, requires_id: moduleIds.get(key), course_id: course.id })
      for (const [lessonPosition, lesson] of module.lessons.entries()) {
        const id = rows.training_lessons.length + 1
        lessonIds.set(lesson.title, id)
        const saved = prepareContent(lesson.type, contentSchemas[lesson.type].parse(lesson.content), new Set())
        const quizzes = quizzesOf({ content_type: lesson.type, content_data: saved.content } as never)
        const own = lesson.type === 'quiz' ? quizzes[0]?.quiz : undefined
        rows.training_lessons.push({
          id,
          ...draftLesson({
            course_id: course.id,
            module_id,
            lesson_key: toKey(lesson.title),
            title: lesson.title,
            description: lesson.about,
            content_type: lesson.type,
            content: JSON.stringify(saved.content),
            styles: saved.styles,
            question_count: saved.questionCount,
            allows_html: saved.allowsHtml,
            duration_minutes: lesson.minutes,
            position: lessonPosition,
            passing_score: own?.passingScore ?? null,
            max_attempts: own?.maxAttempts ?? 3,
            created_at: at,
            updated_at: at,
          }),
        })
        for (const title of lesson.after ?? [])
          rows.training_lesson_prerequisites.push({ lesson_id: id, requires_id: lessonIds.get(title), module_id })
        for (const title of lesson.see ?? [])
          rows.training_lesson_references.push({
            lesson_id: id,
            refers_to: lessonIds.get(title),
            course_id: course.id,
          })
        for (const name of saved.files) {
          const asset = [...files.values()].find((one) => one.name === name)
          if (!asset) continue
          rows.training_asset_uses.push({ asset_id: asset.id, lesson_id: id })
          if (!courseOfAsset.has(asset.id)) courseOfAsset.set(asset.id, course.id)
        }
        course.lessons.push({
          id,
          minutes: lesson.minutes,
          quizzes: quizzes
            .filter(({ quiz }) => quiz.questions.length > 0)
            .map(({ component, quiz }) => ({ component: component ?? -1, ...quiz })),
        })
      }
    }
    courses.push(course)
  }
  for (const { size, ...file } of files.values())
    rows.training_assets.push({
      ...file,
      quality: 'high',
      original_size: size,
      final_size: size,
      course_id: courseOfAsset.get(file.id) ?? null,
      lesson_id: null,
      worker_id: null,
      created_at: at,
    })
  return { rows, courses }
}

type SeededCourses = ReturnType<typeof buildCourses>

/** Stretchers take the required courses when they are hired. Active stretchers have completed them. */
async function seedLearners(context: SeedContext, { rows, courses }: SeededCourses) {
  const people = await context.db
    .selectFrom('stretchers')
    .select(['customer_id', 'status', 'hired_at', 'deactivated_at'])
    .orderBy('id')
    .limit(60)
    .execute()
  let attempts = 0
  let trainees = 0
  for (const person of people) {
    const random = context.random(`training/${person.customer_id}`)
    const isTrained = person.status !== 'in_training'
    let at = shift(person.hired_at, 9 * HOUR)
    // How many lessons a trainee has done. Some have not started.
    let left = isTrained ? Number.POSITIVE_INFINITY : (lessonsDone[trainees++ % lessonsDone.length] ?? 0)
    for (const course of courses) {
      if (!course.isLive || (!course.isRequired && !(isTrained && random.chance(0.75)))) continue
      const { liveSince = 0 } = course
      const opened = liveSince ? latest(person.hired_at, context.calendar.at(-liveSince, 9 * 60)) : person.hired_at
      // Stretchers who left before that never saw it.
      if (person.deactivated_at && person.deactivated_at < opened) continue
      // Active stretchers take a new course some days after it opens.
      if (opened > person.hired_at) at = latest(at, shift(opened, random.integer(0, liveSince - 12) * DAY))
      const enrolment = {
        course_id: course.id,
        customer_id: person.customer_id,
        enrolled_at: opened,
        started_at: null as Date | null,
        completed_at: null as Date | null,
        last_seen_at: null as Date | null,
      }
      rows.training_enrolments.push(enrolment)
      const isOpen =
        course.after?.every((key) =>
          rows.training_enrolments.some((row) =>
            isDone(row, person.customer_id, courses.find((one) => one.key === key)?.id),
          ),
        ) ?? true
      if (!isOpen) continue
      let done = 0
      for (const lesson of course.lessons) {
        if (left <= 0 || (!course.isRequired && random.chance(0.2))) break
        left--
        at = earliest(
          shift(at, random.integer(2, 18) * HOUR),
          shift(context.calendar.now, -random.integer(1, 30) * HOUR),
        )
        enrolment.started_at ??= at
        const outcome = takeQuizzes(
          rows,
          lesson,
          person.customer_id,
          at,
          random,
          isTrained || left > 0,
          () => ++attempts,
        )
        const ended = shift(at, lesson.minutes * MINUTE * random.between(0.6, 1.8))
        rows.training_progress.push({
          lesson_id: lesson.id,
          customer_id: person.customer_id,
          started_at: at,
          completed_at: outcome ? ended : null,
          reported_at: ended,
          seconds: Math.round((ended.getTime() - at.getTime()) / 1000),
        })
        enrolment.last_seen_at = ended
        at = ended
        if (!outcome) left = 0
        else done++
      }
      if (done === course.lessons.length) enrolment.completed_at = enrolment.last_seen_at
    }
  }
}

/** Lessons done by each trainee. Lessons 5, 14 and 16 have a quiz. */
const lessonsDone = [5, 0, 9, 16, 7, 20, 1, 14, 27]

const isDone = (row: object, customer: number, course: number | undefined) => {
  const { customer_id, course_id, completed_at } = row as {
    customer_id: number
    course_id: number
    completed_at: Date | null
  }
  return customer_id === customer && course_id === course && completed_at !== null
}
const earliest = (a: Date, b: Date) => (a < b ? a : b)
const latest = (a: Date, b: Date) => (a > b ? a : b)

/** Takes the quizzes of a lesson until passed or out of attempts. Returns whether all are passed. */
function takeQuizzes(
  rows: SeededCourses['rows'],
  { id, quizzes }: SeededLesson,
  customer_id: number,
  at: Date,
  random: Random,
  mustPass: boolean,
  nextId: () => number,
): boolean {
  let isAllPassed = true
  for (const { component, questions, passingScore, maxAttempts } of quizzes) {
    let isPassed = false
    for (let number = 1; number <= maxAttempts && !isPassed; number++) {
      // Trainees who stop at a quiz have used up their attempts.
      const chance = !mustPass ? 0.2 : number === maxAttempts ? 1 : 0.55 + 0.15 * number
      const answers = new Map(questions.map((question) => [question.id, answerOf(question, random.chance(chance))]))
      const score = scoreOf(questions, answers)
      isPassed = isPassing(score, passingScore)
      const started_at = shift(at, number * 4 * MINUTE)
      rows.training_attempts.push({
        id: nextId(),
        lesson_id: id,
        customer_id,
        component,
        number,
        questions: JSON.stringify(questions),
        answers: JSON.stringify(Object.fromEntries(answers)),
        results: JSON.stringify(
          Object.fromEntries(
            questions.filter(isScored).map((one) => [one.id, isCorrect(one, answers.get(one.id)) ?? false]),
          ),
        ),
        passing_score: passingScore,
        started_at,
        due_at: null,
        submitted_at: shift(started_at, random.integer(60, 220) * 1000),
        is_late: false,
        points: score.earned,
        possible: score.possible,
        score: score.percent,
        is_passed: isPassed,
      })
    }
    isAllPassed &&= isPassed
  }
  return isAllPassed
}

function answerOf(question: Question, isCorrectAnswer: boolean) {
  if (question.type === 'short_answer') return isCorrectAnswer ? (question.acceptedAnswers[0] ?? '') : 'not sure'
  if (question.type === 'multiple_select')
    return isCorrectAnswer ? question.correctAnswers : question.correctAnswers.slice(1)
  const correct = question.correctAnswer ?? 0
  return isCorrectAnswer ? correct : (correct + 1) % Math.max(2, question.options.length)
}
