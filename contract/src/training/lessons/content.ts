import { z } from 'zod'
import { Text } from '#kit/values.ts'
import { MediaUrl, StyleText } from '../values.ts'
import { type GameData, GameType, gameSchemas } from './game.ts'
import { MAX_QUESTIONS, MixedQuestionInput, QuestionInput } from './question.ts'

export const ContentType = z.enum(['text', 'video', 'audio', 'quiz', 'interactive', 'document', 'mixed'])
export type ContentType = z.infer<typeof ContentType>

export const Formatting = z.enum(['plain', 'markdown', 'rich_text'])
export type Formatting = z.infer<typeof Formatting>

/** Maximum characters of one lesson text. */
export const MAX_TEXT = 200_000
const LongText = z.string().max(MAX_TEXT, 'must be at most 200,000 characters')

const Seconds = z.number().min(0, 'cannot be negative').max(86_400, 'must be at most a day').nullable().default(null)
const style = StyleText.default('')

const player = { autoplay: z.boolean().default(false), controls: z.boolean().default(true) }
const quizRules = {
  /** Minutes. Null or 0: no time limit. */
  timeLimit: z.number().min(0, 'A time limit cannot be negative.').max(1440).nullable().default(null),
  randomizeQuestions: z.boolean().default(false),
  passingScore: z
    .number()
    .min(0, 'The passing score must be between 0 and 100.')
    .max(100, 'The passing score must be between 0 and 100.')
    .default(70),
  maxAttempts: z.int().min(1, 'Allow at least one attempt.').max(1000).default(3),
}

const Subtitles = z
  .array(
    z.strictObject({
      label: Text(80),
      language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code such as en or en-US'),
      url: MediaUrl,
    }),
  )
  .max(20)
  .default([])

const uniqueIds =
  (what: string) => (list: readonly { id?: string | number | undefined }[], context: z.RefinementCtx) => {
    const seen = new Set<string | number>()
    list.forEach(({ id }, index) => {
      if (id === undefined) return
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: [index, 'id'], message: `is already the ID of another ${what}` })
      seen.add(id)
    })
  }
const questionsOf = <Q extends z.ZodType<{ id: string }>>(question: Q) =>
  z
    .array(question)
    .max(MAX_QUESTIONS, 'A quiz can have at most 200 questions.')
    .superRefine(uniqueIds('question'))
    .default([])

export const TextContent = z.strictObject({
  trainingLessonContent: LongText.default(''),
  formatting: Formatting.default('markdown'),
  allowHtml: z.boolean().default(false),
  trainingStylesheet: style,
})
export const VideoContent = z.strictObject({
  url: MediaUrl.default(''),
  duration: Seconds,
  thumbnail: MediaUrl.default(''),
  subtitles: Subtitles,
  ...player,
  trainingStylesheet: style,
})
export const AudioContent = z.strictObject({
  url: MediaUrl.default(''),
  duration: Seconds,
  transcript: LongText.default(''),
  ...player,
  trainingStylesheet: style,
})
export const QuizContent = z.strictObject({ questions: questionsOf(QuestionInput), ...quizRules })
export const InteractiveContent = z
  .strictObject({
    gameType: GameType.default('custom'),
    gameData: z.record(z.string(), z.unknown()).default({}),
    instructions: Text(5000, 0).default(''),
    difficulty: z.enum(['easy', 'medium', 'hard']).default('medium'),
  })
  .transform((content, context) => {
    const data = gameSchemas[content.gameType].safeParse(content.gameData)
    if (data.success) return { ...content, gameData: data.data as GameData }
    for (const { path, message } of data.error.issues)
      context.addIssue({ code: 'custom', path: ['gameData', ...path], message })
    return z.NEVER
  })
export const DocumentContent = z.strictObject({
  url: MediaUrl.default(''),
  type: z.enum(['pdf', 'txt', 'md']).default('pdf'),
  pages: z.int().min(0).max(100_000).nullable().default(null),
  allowDownload: z.boolean().default(false),
})

const MixedText = z.strictObject({
  trainingMixedComponentText: LongText.default(''),
  formatting: Formatting.default('markdown'),
  allowHtml: z.boolean().default(false),
  customCSS: style,
})
const MixedVideo = z.strictObject({
  url: MediaUrl.default(''),
  duration: Seconds,
  thumbnail: MediaUrl.default(''),
  ...player,
})
const MixedAudio = z.strictObject({
  url: MediaUrl.default(''),
  duration: Seconds,
  transcript: LongText.default(''),
  ...player,
})
const MixedQuiz = z.strictObject({ questions: questionsOf(MixedQuestionInput), ...quizRules })

export const ComponentType = z.enum(['text', 'video', 'audio', 'quiz'])
export type ComponentType = z.infer<typeof ComponentType>

/** Assigned by the editor or the server. It stays with the component when the component moves. */
const id = z.int().min(0).optional()
const order = z.int().min(0).max(10_000).default(0)
const components = { text: MixedText, video: MixedVideo, audio: MixedAudio, quiz: MixedQuiz } as const

export type MixedComponent = {
  [T in ComponentType]: { id?: number | undefined; type: T; order: number; content: z.output<(typeof components)[T]> }
}[ComponentType]

/** A part of a mixed lesson. Its content is parsed by type, and issues carry the path within the content. */
export const MixedComponent = z
  .strictObject({ id, type: ComponentType, order, content: z.unknown().optional() })
  .transform((component, context) => {
    const content = components[component.type].safeParse(component.content ?? {})
    if (content.success) return { ...component, content: content.data } as MixedComponent
    for (const { path, message } of content.error.issues)
      context.addIssue({ code: 'custom', path: ['content', ...path], message })
    return z.NEVER
  })

/** Sorts components by `order` and renumbers them from 0 without gaps. */
export const renumber = <C extends { order: number }>(components: readonly C[]): C[] =>
  components.toSorted((a, b) => a.order - b.order).map((component, index) => ({ ...component, order: index }))

export const MixedComponents = z
  .array(MixedComponent)
  .max(100, 'A mixed lesson can have at most 100 components.')
  .superRefine(uniqueIds('component'))
  .transform(renumber)

export const MixedContent = z.strictObject({
  components: MixedComponents.default([]),
  layout: z.enum(['sequential', 'tabs']).default('sequential'),
  navigation: z.enum(['linear', 'free']).default('linear'),
})

/** The content schema of each type. Each accepts `{}` and fills in its defaults. */
export const contentSchemas = {
  text: TextContent,
  video: VideoContent,
  audio: AudioContent,
  quiz: QuizContent,
  interactive: InteractiveContent,
  document: DocumentContent,
  mixed: MixedContent,
} as const satisfies Record<ContentType, z.ZodType>

export type ContentOf<T extends ContentType> = z.output<(typeof contentSchemas)[T]>
export type ContentInputOf<T extends ContentType> = z.input<(typeof contentSchemas)[T]>
export type ContentData = { [T in ContentType]: ContentOf<T> }[ContentType]

/** A content type with its content; narrow by `content_type`. */
export type TypedContent = { [T in ContentType]: { content_type: T; content_data: ContentOf<T> } }[ContentType]
export type TypedContentInput = {
  [T in ContentType]: { content_type: T; content_data: ContentInputOf<T> }
}[ContentType]

/** The default content of a type. */
export const defaultContent = <T extends ContentType>(type: T): ContentOf<T> =>
  contentSchemas[type].parse({}) as ContentOf<T>

/** The content after a change of type. Changing to mixed restores the components that were kept. */
export function contentAfterTypeChange<T extends ContentType>(type: T, kept: readonly MixedComponent[]): ContentOf<T> {
  const content = defaultContent(type)
  return type === 'mixed' ? ({ ...content, components: renumber(kept) } as ContentOf<T>) : content
}

const isHtmlText = (content: { formatting: Formatting; allowHtml: boolean }) =>
  content.formatting === 'rich_text' && content.allowHtml

/** Whether the lesson may contain HTML. This is only a flag: content is always sanitized on save and on display. */
export function allowsHtml({ content_type, content_data }: TypedContent): boolean {
  if (content_type === 'text') return isHtmlText(content_data)
  if (content_type === 'mixed')
    return content_data.components.some(
      ({ type, content }) => type === 'video' || type === 'audio' || (type === 'text' && isHtmlText(content)),
    )
  return content_type === 'video' || content_type === 'audio'
}

/** The class of a component in a mixed lesson. Its own styles are scoped to it. */
export const componentClass = (index: number) => `lesson-component-${index}`
export const COURSE_CLASS = 'course-content'
export const LESSON_CLASS = 'lesson-content'
