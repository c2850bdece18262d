import {
  allowsHtml,
  type ContentData,
  type ContentType,
  componentClass,
  LESSON_CLASS,
  type MixedComponent,
  type TypedContent,
} from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { FILES_PATH, hostOf, type StyleNote } from '@limber/contract/training/values.ts'
import { type Cleaner, cleanStyles } from '../theme/style.rules.ts'
import { withIds } from './component.rules.ts'
import { cleanHtml, escapeHtml, findBadLink, type MediaCheck } from './markup.rules.ts'

/** The reason content cannot be saved. */
export class ContentError extends Error {
  readonly code: 'bad_link' | 'media_host'
  readonly values: Record<string, string>
  constructor(code: 'bad_link' | 'media_host', values: Record<string, string>) {
    super(code)
    this.code = code
    this.values = values
  }
}

export interface SavedContent {
  content: ContentData
  styles: string
  notes: StyleNote[]
  questionCount: number
  allowsHtml: boolean
  /** Names of the uploaded files it uses. */
  files: string[]
}

/** Images and players may use uploaded files and the hosts in the settings. */
const mediaCheck =
  (hosts: ReadonlySet<string>): MediaCheck =>
  (address) => {
    if (address.startsWith(FILES_PATH)) return true
    const host = hostOf(address)
    return host !== undefined && hosts.has(host)
  }

interface Cleaning {
  isMedia: MediaCheck
  clean: Cleaner
  notes: StyleNote[]
  styles: string[]
}

function cleanText(text: string, mayHoldHtml: boolean, { isMedia }: Cleaning): string {
  const bad = findBadLink(text)
  if (bad !== undefined) throw new ContentError('bad_link', { link: bad.slice(0, 60) })
  return mayHoldHtml ? cleanHtml(text, isMedia) : escapeHtml(text)
}

/** Plain text is displayed as is and never parsed as markup. */
const cleanFormatted = (
  text: string,
  { formatting, allowHtml }: { formatting: string; allowHtml: boolean },
  cleaning: Cleaning,
) => (formatting === 'plain' ? text : cleanText(text, formatting === 'rich_text' && allowHtml, cleaning))

function cleanSheet(source: string, scope: string, { clean, notes, styles }: Cleaning): string {
  if (source === '') return ''
  const cleaned = clean(source, scope)
  notes.push(...cleaned.notes)
  styles.push(cleaned.scoped)
  return cleaned.source
}

function checkMedia(address: string, { isMedia }: Cleaning) {
  if (address === '' || isMedia(address)) return
  throw new ContentError('media_host', { host: hostOf(address) ?? 'another host' })
}

function cleanComponent(component: MixedComponent, index: number, cleaning: Cleaning): MixedComponent {
  switch (component.type) {
    case 'text': {
      const { content } = component
      return {
        ...component,
        content: {
          ...content,
          trainingMixedComponentText: cleanFormatted(content.trainingMixedComponentText, content, cleaning),
          customCSS: cleanSheet(content.customCSS, componentClass(index), cleaning),
        },
      }
    }
    case 'video':
      checkMedia(component.content.url, cleaning)
      checkMedia(component.content.thumbnail, cleaning)
      return component
    case 'audio':
      checkMedia(component.content.url, cleaning)
      return {
        ...component,
        content: { ...component.content, transcript: cleanText(component.content.transcript, true, cleaning) },
      }
    case 'quiz':
      return component
  }
}

function cleanTyped({ content_type, content_data }: TypedContent, cleaning: Cleaning): ContentData {
  switch (content_type) {
    case 'text':
      return {
        ...content_data,
        trainingLessonContent: cleanFormatted(content_data.trainingLessonContent, content_data, cleaning),
        trainingStylesheet: cleanSheet(content_data.trainingStylesheet, LESSON_CLASS, cleaning),
      }
    case 'video':
      for (const address of [content_data.url, content_data.thumbnail, ...content_data.subtitles.map(({ url }) => url)])
        checkMedia(address, cleaning)
      return {
        ...content_data,
        trainingStylesheet: cleanSheet(content_data.trainingStylesheet, LESSON_CLASS, cleaning),
      }
    case 'audio':
      checkMedia(content_data.url, cleaning)
      return {
        ...content_data,
        transcript: cleanText(content_data.transcript, true, cleaning),
        trainingStylesheet: cleanSheet(content_data.trainingStylesheet, LESSON_CLASS, cleaning),
      }
    case 'document':
      checkMedia(content_data.url, cleaning)
      return content_data
    case 'interactive':
      if (content_data.gameType === 'flashcards' && 'cards' in content_data.gameData)
        for (const { image } of content_data.gameData.cards as { image: string }[]) checkMedia(image, cleaning)
      return content_data
    case 'mixed':
      return {
        ...content_data,
        components: content_data.components.map((component, index) => cleanComponent(component, index, cleaning)),
      }
    case 'quiz':
      return content_data
  }
}

/** The stylesheets of a lesson, each with the class it is scoped to. */
export function sheetsOf({ content_type, content_data }: TypedContent): { source: string; scope: string }[] {
  if ('trainingStylesheet' in content_data) return [{ source: content_data.trainingStylesheet, scope: LESSON_CLASS }]
  if (content_type !== 'mixed') return []
  return content_data.components.flatMap((component, index) =>
    component.type === 'text' ? [{ source: component.content.customCSS, scope: componentClass(index) }] : [],
  )
}

interface PlacedQuiz {
  /** The index of the component in a mixed lesson; null for a quiz lesson. */
  component: number | null
  /** The `component` value of its attempts. */
  id: number
  quiz: Quiz
}

/** The `component` value for attempts at a quiz lesson. */
const QUIZ_LESSON = -1

/** The quizzes of a lesson: its own, or those of its components. */
export function quizzesOf(typed: TypedContent): PlacedQuiz[] {
  if (typed.content_type === 'quiz') return [{ component: null, id: QUIZ_LESSON, quiz: typed.content_data }]
  if (typed.content_type !== 'mixed') return []
  return withIds(typed.content_data.components).flatMap((component, index) =>
    component.type === 'quiz' ? [{ component: index, id: component.id, quiz: component.content }] : [],
  )
}

export interface Quiz {
  questions: Question[]
  timeLimit: number | null
  randomizeQuestions: boolean
  passingScore: number
  maxAttempts: number
}

const ownFile = /\/api\/training\/files\/([a-z0-9]{26}\.[a-z0-9]{2,4})/g

/** Names of the uploaded files that appear anywhere in the content. */
export const filesIn = (content: unknown): string[] => [
  ...new Set([...JSON.stringify(content ?? null).matchAll(ownFile)].map(([, name = '']) => name)),
]

/** Sanitizes content for storage, scopes its styles and derives the stored flags. */
export function prepareContent(
  content_type: ContentType,
  content_data: ContentData,
  mediaHosts: ReadonlySet<string>,
  clean: Cleaner = cleanStyles,
): SavedContent {
  const cleaning: Cleaning = { isMedia: mediaCheck(mediaHosts), clean, notes: [], styles: [] }
  // The pair was parsed by the schema of its type.
  const typed = { content_type, content_data } as TypedContent
  const content = cleanTyped(typed, cleaning)
  return {
    content,
    styles: cleaning.styles.join(''),
    notes: cleaning.notes.slice(0, 100),
    questionCount: quizzesOf(typed).reduce((sum, { quiz }) => sum + quiz.questions.length, 0),
    allowsHtml: allowsHtml(typed),
    files: filesIn(content),
  }
}
