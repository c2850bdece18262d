import {
  type ContentData,
  type ContentOf,
  ContentType,
  contentAfterTypeChange,
  defaultContent,
  type MixedComponent,
  type ContentType as Type,
} from '@limber/contract/training/lessons/content.ts'
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { typeNames } from '../labels.ts'
import styles from '../training.module.css'
import { readContent } from './read-content.ts'

const TextEditor = lazy(() => import('../editors/text-editor.tsx'))
const VideoEditor = lazy(() => import('../editors/video-editor.tsx'))
const AudioEditor = lazy(() => import('../editors/audio-editor.tsx'))
const QuizEditor = lazy(() => import('../editors/quiz-editor.tsx'))
const InteractiveEditor = lazy(() => import('../editors/interactive-editor.tsx'))
const DocumentEditor = lazy(() => import('../editors/document-editor.tsx'))
const LessonPreview = lazy(() => import('../preview/lesson-preview.tsx'))
const MixedEditor = lazy(() => import('../editors/mixed-editor.tsx'))

interface Props {
  type: Type
  content: ContentData
  /** Kept components of an earlier mixed lesson; they return with the type. */
  kept: readonly MixedComponent[]
  problems: readonly { name: string; text: string }[]
  onType: (type: Type, content: ContentData, kept: readonly MixedComponent[]) => void
  onChange: (content: ContentData) => void
}

const isUntouched = (type: Type, content: ContentData) =>
  JSON.stringify(readContent(type, content)) === JSON.stringify(defaultContent(type))

/** The content type and its editor. */
export function LessonContent({ type, content, kept, problems, onType, onChange }: Props) {
  const [shown, setShown] = useState('Write')
  const changeType = async (next: Type) => {
    const isMixed = type === 'mixed'
    const question = {
      title: `Change the content type to ${typeNames[next]}?`,
      body: `The ${typeNames[type].toLowerCase()} content of this lesson will be deleted.`,
      action: 'Change type',
      isDestructive: true,
    }
    if (!isMixed && !isUntouched(type, content) && !(await confirm(question))) return
    const components = isMixed ? readContent('mixed', content).components : kept
    onType(next, contentAfterTypeChange(next, components), next === 'mixed' ? [] : components)
  }
  return (
    <section className={styles.content} aria-label="Content">
      <div className={styles.contentHead}>
        <NativeSelect
          label="Content type"
          required
          withAsterisk
          name="content_type"
          value={type}
          data={ContentType.options.map((value) => ({ value, label: typeNames[value] }))}
          onChange={(event) => void changeType(event.currentTarget.value as Type)}
        />
        <SegmentedControl
          size="xs"
          aria-label="Write or preview"
          data={['Write', 'Preview']}
          value={shown}
          onChange={setShown}
        />
      </div>
      {problems.length > 0 && (
        <Banner kind="red">
          {problems.map(({ name, text }) => (
            <p key={name}>{`${placeOf(name)} ${text}`}</p>
          ))}
        </Banner>
      )}
      <Suspense fallback={<BlockSkeleton height={320} />}>
        {/* Hidden, not unmounted, so that unfinished input survives the preview. */}
        <div hidden={shown === 'Preview'}>
          <Editor type={type} content={content} onChange={onChange} />
        </div>
        {shown === 'Preview' && <LessonPreview type={type} content={content} />}
      </Suspense>
    </section>
  )
}

/** Turns a path such as `content_data.questions.2.points` into readable text. */
const placeOf = (name: string) =>
  name
    .replace(/^content_data\.?/, '')
    .replace(/^kept_components/, 'mixed component')
    .replace(/\.(\d+)/g, (_, index: string) => ` ${Number(index) + 1}`)
    .replaceAll('.', ', ')

function Editor({ type, content, onChange }: Pick<Props, 'type' | 'content' | 'onChange'>) {
  switch (type) {
    case 'text':
      return <TextEditor content={readContent(type, content)} onChange={onChange} />
    case 'video':
      return <VideoEditor content={readContent(type, content)} onChange={onChange} />
    case 'audio':
      return <AudioEditor content={readContent(type, content)} onChange={onChange} />
    case 'quiz':
      return <QuizEditor content={readContent(type, content)} onChange={onChange} />
    case 'interactive':
      return <InteractiveEditor content={content as ContentOf<'interactive'>} onChange={onChange} />
    case 'document':
      return <DocumentEditor content={readContent(type, content)} onChange={onChange} />
    case 'mixed':
      return <MixedEditor content={readContent(type, content)} onChange={onChange} />
  }
}
