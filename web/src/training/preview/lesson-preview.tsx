import { type ContentData, type ContentType, componentClass } from '@limber/contract/training/lessons/content.ts'
import { useEditing } from '../editors/editor-context.ts'
import { readContent } from '../lessons/read-content.ts'
import { ContentView } from './content-view.tsx'
import { CourseFrame } from './course-frame.tsx'

interface Props {
  type: ContentType
  content: ContentData
}

/** The styles of the content, each with the class it applies to. */
function stylesOf({ type, content }: Props) {
  if (type === 'mixed')
    return readContent('mixed', content).components.flatMap((component, index) =>
      component.type === 'text' ? [{ text: component.content.customCSS ?? '', className: componentClass(index) }] : [],
    )
  return 'trainingStylesheet' in content ? [{ text: content.trainingStylesheet, className: 'lesson-content' }] : []
}

/** The current form values as a learner would see them, saved or not. */
export default function LessonPreview(props: Props) {
  const { course } = useEditing()
  return (
    <CourseFrame
      title="Lesson preview"
      theme={course.metadata.theme}
      styleTexts={[course.styles]}
      partStyles={stylesOf(props)}
      height={520}
    >
      <main className="page">
        <div className="lesson-content">
          <ContentView lesson={{ content_type: props.type, content_data: props.content }} />
        </div>
      </main>
    </CourseFrame>
  )
}
