import type { ContentData, ContentOf, ContentType, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import { componentClass } from '@limber/contract/training/lessons/content.ts'
import { lazy, Suspense, useState } from 'react'
import { readContent } from '../lessons/read-content.ts'
import { Markup } from './markup.tsx'
import { AudioView, VideoView } from './media-view.tsx'
import { QuizView } from './quiz-view.tsx'

const DocumentView = lazy(() => import('./document-view.tsx'))
const GameView = lazy(() => import('./game-view.tsx'))

/** The content of a lesson as a learner sees it. */
export function ContentView({ lesson }: { lesson: { content_type: ContentType; content_data: ContentData } }) {
  const { content_type: type, content_data: data } = lesson
  switch (type) {
    case 'text': {
      const { trainingLessonContent: text, formatting, allowHtml } = readContent(type, data)
      return <Markup text={text} formatting={formatting} allowHtml={allowHtml} />
    }
    case 'video':
      return <VideoView content={readContent(type, data)} height={400} />
    case 'audio':
      return <AudioView content={readContent(type, data)} />
    case 'quiz':
      return <QuizView quiz={readContent(type, data)} none="No questions added to this quiz yet." />
    case 'interactive':
      return (
        <Suspense fallback={<p className="note">Loading…</p>}>
          <GameView content={data as ContentOf<'interactive'>} />
        </Suspense>
      )
    case 'document':
      return (
        <Suspense fallback={<p className="note">Loading…</p>}>
          <DocumentView content={readContent(type, data)} />
        </Suspense>
      )
    case 'mixed':
      return <MixedView content={readContent(type, data)} />
    default:
      return <p className="missing">{`Content type "${String(type)}" not yet implemented in preview.`}</p>
  }
}

function MixedView({ content }: { content: ContentOf<'mixed'> }) {
  const { components, layout } = content
  const [open, setOpen] = useState(0)
  if (components.length === 0) return <p className="missing">No components added to this mixed content lesson yet.</p>
  if (layout === 'sequential')
    return (
      <div className="page">
        {components.map((component, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a component is identified by its position
          <ComponentView key={index} component={component} index={index} />
        ))}
      </div>
    )
  const shown = components[open]
  return (
    <div className="page">
      <div className="tabs" role="tablist" aria-label="Parts">
        {components.map(({ type }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a component is identified by its position
            key={index}
            type="button"
            role="tab"
            aria-selected={open === index}
            className={open === index ? 'portal-button' : 'portal-button quiet'}
            // In linear navigation, a part unlocks after the one before it.
            disabled={content.navigation === 'linear' && index > open + 1}
            onClick={() => setOpen(index)}
          >
            {`${index + 1}. ${type}`}
          </button>
        ))}
      </div>
      {shown && <ComponentView key={open} component={shown} index={open} />}
    </div>
  )
}

function ComponentView({ component, index }: { component: MixedComponent; index: number }) {
  return <section className={`portal-card ${componentClass(index)}`}>{partOf(component)}</section>
}

function partOf(component: MixedComponent) {
  switch (component.type) {
    case 'text':
      return (
        <Markup
          text={component.content.trainingMixedComponentText ?? ''}
          formatting={component.content.formatting ?? 'markdown'}
          allowHtml={component.content.allowHtml ?? false}
        />
      )
    case 'video':
      return <VideoView content={{ subtitles: [], ...component.content }} height={300} />
    case 'audio':
      return <AudioView content={component.content} />
    case 'quiz':
      return <QuizView quiz={component.content} none="No questions added yet." />
  }
}
