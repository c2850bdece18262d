import type { Course } from '@limber/contract/training/courses/course.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { FindField } from '../find-field.tsx'
import { matches } from '../matches.ts'
import { lessonsQuery, modulesQuery } from '../training.api.ts'
import styles from '../training.module.css'
import type { ChangeSearch, OpenTab, TrainingSearch } from '../training-search.ts'
import { LessonGroup } from './lesson-group.tsx'

const LessonDialog = lazy(() => import('./lesson-dialog.tsx'))
const ManageQuestions = lazy(() => import('../quiz/manage-questions.tsx'))

interface Props {
  course: Course
  search: TrainingSearch
  change: ChangeSearch
  openTab: OpenTab
}

/** The lessons of the selected course, by module and in order. */
export function LessonsTab({ course, search, change, openTab }: Props) {
  const modules = useQuery(modulesQuery(course.course_key))
  const lessons = useQuery(lessonsQuery(course.course_key))
  // The module of the new lesson; empty lets the worker select one.
  const [creating, setCreating] = useState<string>()
  // The lesson to copy into a new one.
  const [copied, setCopied] = useState<number>()
  const q = useDeferredValue(search.q)

  const groups = useMemo(() => {
    const found = (lessons.data ?? []).filter((one) => matches(q, one.title, one.lesson_key))
    const byModule = Map.groupBy(found, ({ module_key }) => module_key)
    return (modules.data ?? [])
      .filter(({ module_key }) => search.module === '' || module_key === search.module)
      .map((module) => ({ module, lessons: byModule.get(module.module_key) ?? [] }))
      .filter((group) => group.lessons.length > 0 || q === '')
  }, [lessons.data, modules.data, q, search.module])

  const actions = (
    <div className={styles.tools}>
      <NativeSelect
        aria-label="Module"
        className={styles.pick ?? ''}
        value={search.module}
        data={[
          { value: '', label: 'All modules' },
          ...(modules.data ?? []).map(({ module_key, title }) => ({ value: module_key, label: title })),
        ]}
        onChange={(event) => change({ module: event.currentTarget.value })}
      />
      <FindField label="Find lessons" value={search.q} onChange={(next) => change({ q: next }, { replace: true })} />
      <Button
        leftSection={<Icon of={IconPlus} />}
        disabled={modules.data?.length === 0}
        onClick={() => setCreating(search.module)}
      >
        Create Lesson
      </Button>
    </div>
  )
  const empty = (
    <EmptyState
      icon={IconFileText}
      title="No lessons yet"
      action={
        <Button variant="default" onClick={() => openTab('modules')}>
          Go to modules
        </Button>
      }
    >
      Lessons belong to modules. Create a module first.
    </EmptyState>
  )
  return (
    <SectionCard title="Lessons" count={lessons.data?.length} actions={actions} isFlush hasLine>
      <QueryView query={modules} isEmpty={(all) => all.length === 0} empty={empty}>
        {() => (
          <QueryView query={lessons}>
            {() => (
              <>
                {groups.map((group) => (
                  <LessonGroup
                    key={group.module.module_key}
                    module={group.module}
                    lessons={group.lessons}
                    isWhole={q === ''}
                    isSought={search.module === group.module.module_key || lessons.data?.length === 0}
                    change={change}
                    onCreate={setCreating}
                    onCopy={setCopied}
                  />
                ))}
                {groups.length === 0 && q !== '' && <p className={styles.nothing}>No lessons match “{q}”.</p>}
              </>
            )}
          </QueryView>
        )}
      </QueryView>
      <Suspense fallback={null}>
        {(creating !== undefined || copied !== undefined || (search.lesson > 0 && !search.preview)) &&
          modules.data &&
          lessons.data && (
            <LessonDialog
              course={course}
              modules={modules.data}
              lessons={lessons.data}
              lessonId={creating === undefined && copied === undefined ? search.lesson : undefined}
              copied={copied}
              startModule={creating ?? ''}
              {...(search.part > 0 && { sought: search })}
              onClose={() => {
                setCreating(undefined)
                setCopied(undefined)
                change({ lesson: 0, part: 0, question: '' })
              }}
            />
          )}
        {search.quiz > 0 && (
          <ManageQuestions
            lessonId={search.quiz}
            first={search.question}
            onClose={() => change({ quiz: 0, question: '' })}
          />
        )}
      </Suspense>
    </SectionCard>
  )
}
