import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import type { LessonRow } from '@limber/contract/training/lessons/lesson.ts'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconCopy,
  IconEye,
  IconFileText,
  IconFileTypePdf,
  IconHeadphones,
  IconLayoutList,
  IconListCheck,
  IconMovie,
  IconPlus,
  IconPuzzle,
  IconTrash,
} from '@tabler/icons-react'
import { memo, type RefObject, useRef, useState } from 'react'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { DragHandle, MoveAnnouncement } from '../courses/drag-handle.tsx'
import { useDeletes } from '../courses/use-deletes.ts'
import { moveItem, useReorder } from '../courses/use-reorder.ts'
import { NO_DESCRIPTION, typeNames, UNTITLED_LESSON } from '../labels.ts'
import { useNotices } from '../notices.tsx'
import styles from '../training.module.css'
import type { ChangeSearch } from '../training-search.ts'
import { useArrivalFocus } from '../use-arrival-focus.ts'
import { useReorderLessons } from './lesson.api.ts'

const icons = {
  text: IconFileText,
  video: IconMovie,
  audio: IconHeadphones,
  quiz: IconListCheck,
  interactive: IconPuzzle,
  document: IconFileTypePdf,
  mixed: IconLayoutList,
}

interface Props {
  module: Module
  lessons: readonly LessonRow[]
  /** True if all lessons of the module are shown, so they can be reordered. */
  isWhole: boolean
  /** A link may point here. An empty module then focuses the button that adds a lesson. */
  isSought: boolean
  change: ChangeSearch
  onCreate: (module: string) => void
  onCopy: (lesson: number) => void
}

/** The lessons of one module. */
export const LessonGroup = memo(function LessonGroup(props: Props) {
  const { module, lessons, isWhole, isSought, change, onCreate, onCopy } = props
  const adder = useRef<HTMLButtonElement>(null)
  useArrivalFocus(adder, isSought && lessons.length === 0)
  const { removeLesson } = useDeletes()
  const { fail } = useNotices()
  const save = useReorderLessons()
  const [order, setOrder] = useState<readonly number[]>()
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]))
  const shown = (order ?? lessons.map(({ id }) => id)).flatMap((id) => byId.get(id) ?? [])
  const reorder = useReorder(shown.length, (from, to) => {
    const ids = moveItem(shown, from, to).map(({ id }) => id)
    const { course_key, module_key } = module
    setOrder(ids)
    void save
      .mutateAsync({ course_key, module_key, lesson_ids: ids }, { onSettled: () => setOrder(undefined) })
      .then((reply) => toastUndo('Lessons reordered.', reply), fail)
  })
  return (
    <section className={styles.group} aria-label={module.title}>
      <h3 className={styles.groupTitle}>
        {module.title}
        <span className={styles.count}>{lessons.length}</span>
        {isWhole && (
          <Button
            ref={adder}
            className={styles.groupAdd ?? ''}
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<Icon of={IconPlus} size={14} />}
            aria-label={`Add lesson to ${module.title}`}
            onClick={() => onCreate(module.module_key)}
          >
            Add lesson
          </Button>
        )}
      </h3>
      {lessons.length === 0 && <p className={styles.nothing}>This module has no lessons yet.</p>}
      <ul className={styles.list} ref={reorder.list as RefObject<HTMLUListElement | null>}>
        {shown.map((lesson, place) => {
          const title = lesson.title || UNTITLED_LESSON
          return (
            <li key={lesson.id} className={styles.item} {...reorder.rowOf(place)}>
              {isWhole && <DragHandle reorder={reorder} place={place} name={title} />}
              <Icon of={icons[lesson.content_type] ?? IconFileText} />
              <div className={styles.itemText}>
                <span className={styles.itemTitle}>
                  {title}
                  {!lesson.is_active && <span className={styles.tag}>Inactive</span>}
                  {!lesson.is_required && <span className={styles.tag}>Optional</span>}
                </span>
                <span className={styles.itemDetail}>{lesson.description ?? NO_DESCRIPTION}</span>
              </div>
              <span className={styles.figure}>{typeNames[lesson.content_type] ?? lesson.content_type}</span>
              {lesson.content_type === 'quiz' && (
                <button
                  type="button"
                  className={styles.link}
                  aria-label={`${pluralize(lesson.questionCount, 'question')} of ${title}`}
                  onClick={() => change({ quiz: lesson.id })}
                >
                  {pluralize(lesson.questionCount, 'question')}
                </button>
              )}
              <ActionIcon
                size={28}
                aria-label={`Preview ${title}`}
                title="Preview"
                onClick={() => change({ preview: module.course_key, lesson: lesson.id })}
              >
                <Icon of={IconEye} />
              </ActionIcon>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`Edit ${title}`}
                onClick={() => change({ lesson: lesson.id })}
              >
                Edit
              </Button>
              <ActionIcon
                size={28}
                aria-label={`Duplicate ${title}`}
                title="Duplicate"
                onClick={() => onCopy(lesson.id)}
              >
                <Icon of={IconCopy} />
              </ActionIcon>
              <ActionIcon size={28} aria-label={`Delete ${title}`} onClick={() => void removeLesson(lesson)}>
                <Icon of={IconTrash} />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      <MoveAnnouncement reorder={reorder} />
    </section>
  )
})
