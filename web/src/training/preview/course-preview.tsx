import type { CourseContents } from '@limber/contract/training/courses/course.ts'
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLayer } from '#ui/dialog/layers.ts'
import { useRestoreFocus } from '#ui/dialog/use-restore-focus.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useNotices } from '../notices.tsx'
import { contentsQuery } from '../training.api.ts'
import { CourseFrame } from './course-frame.tsx'
import { CoursePage, ModulePage } from './intro-pages.tsx'
import { LessonPage } from './lesson-page.tsx'
import { findPlace, groupByModule, hasLessons, nextPlace, type Place, previousPlace, START } from './navigation.ts'
import styles from './preview.module.css'

interface Props {
  courseKey: string
  /** The open lesson (0 for the start), and the callback when it changes. */
  lesson: number
  onLesson: (lesson: number) => void
  onClose: () => void
}

const widths = [
  { value: 'wide', label: <Icon of={IconDeviceDesktop} />, name: 'Full width' },
  { value: 'phone', label: <Icon of={IconDeviceMobile} />, name: 'Phone width' },
]
const labels = widths.map(({ value, label, name }) => ({
  value,
  label: (
    <span title={name} role="img" aria-label={name}>
      {label}
    </span>
  ),
}))

/** The whole course as a learner sees it. Answers are not stored. */
export default function CoursePreview({ courseKey, lesson, onLesson, onClose }: Props) {
  const query = useQuery(contentsQuery(courseKey))
  const [width, setWidth] = useState('wide')
  const { fail } = useNotices()
  const showFailure = useEffectEvent((error: unknown) => fail(error))
  useLayer(true, onClose)
  useRestoreFocus(true)
  useEffect(() => {
    if (query.isError) showFailure(query.error)
  }, [query.isError, query.error])

  return (
    <Modal.Root opened onClose={onClose} fullScreen closeOnEscape={false} transitionProps={{ duration: 200 }}>
      <Modal.Content aria-label="Course preview">
        <div className={styles.overlay}>
          <div className={styles.bar}>
            <Modal.Title className={styles.title}>
              {query.data ? `Preview: ${query.data.course.title}` : 'Course preview'}
            </Modal.Title>
            <SegmentedControl
              className={styles.widths ?? ''}
              size="xs"
              aria-label="Width"
              data={labels}
              value={width}
              onChange={setWidth}
            />
            <Button variant="default" size="xs" onClick={onClose}>
              Close Preview
            </Button>
          </div>
          <div className={styles.stage} data-phone={width === 'phone' || undefined}>
            {query.isPending ? (
              <p className={styles.middle} role="status">
                Loading course preview...
              </p>
            ) : (
              <Pages
                contents={query.data}
                width={width === 'phone' ? 390 : '100%'}
                onRetry={query.isError ? () => void query.refetch() : undefined}
                {...{ lesson, onLesson, onClose }}
              />
            )}
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

interface PagesProps extends Omit<Props, 'courseKey'> {
  contents: CourseContents | undefined
  width: number | string
  /** Loads the course again; only set after a failure. */
  onRetry: (() => void) | undefined
}

function Pages({ contents, width, lesson: first, onRetry, onLesson, onClose }: PagesProps) {
  const modules = useMemo(() => (contents ? groupByModule(contents) : []), [contents])
  const [place, turnTo] = useState<Place>(() => findPlace(modules, first) ?? START)
  if (!contents || !hasLessons(modules))
    return (
      <div className={styles.middle} role="alert">
        <p>Unable to load preview content. The course may not have any modules or lessons yet.</p>
        <div className={styles.ways}>
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
          <Button variant="default" onClick={onClose}>
            Close Preview
          </Button>
        </div>
      </div>
    )
  const setPlace = (to: Place) => {
    turnTo(to)
    onLesson(to.page === 'lesson' ? (modules[to.module]?.lessons[to.lesson]?.id ?? 0) : 0)
  }
  const next = () => {
    const following = nextPlace(modules, place)
    if (following) setPlace(following)
    else onClose()
  }
  const back = () => setPlace(previousPlace(modules, place))
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose()
    const target = event.target as Element
    if (target.closest?.('input, textarea, select, video, audio, [data-own-keys]')) return
    if (event.key === 'ArrowRight') next()
    if (event.key === 'ArrowLeft' && place.page !== 'course') back()
  }
  const moduleLessons = place.page === 'course' ? undefined : modules[place.module]
  const lesson = place.page === 'lesson' ? moduleLessons?.lessons[place.lesson] : undefined
  const { course } = contents
  return (
    <CourseFrame
      title="Course"
      theme={course.metadata.theme}
      styleTexts={[course.styles, lesson?.styles ?? '']}
      width={width}
      onKey={onKey}
    >
      {place.page === 'course' && <CoursePage course={course} modules={modules} onStart={next} onOpen={setPlace} />}
      {place.page === 'module' && moduleLessons && (
        <ModulePage
          moduleLessons={moduleLessons}
          number={place.module + 1}
          count={modules.length}
          onBack={back}
          onStart={next}
        />
      )}
      {place.page === 'lesson' && moduleLessons && lesson && (
        <LessonPage
          key={lesson.id}
          lesson={lesson}
          moduleLessons={moduleLessons}
          place={place}
          modules={modules}
          onNext={next}
          onBack={back}
          onOpen={setPlace}
        />
      )}
    </CourseFrame>
  )
}
