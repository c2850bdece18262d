import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconStack2, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { FindField } from '../find-field.tsx'
import { NO_DESCRIPTION } from '../labels.ts'
import { matches } from '../matches.ts'
import { useNotices } from '../notices.tsx'
import { modulesQuery, useReorderModules } from '../training.api.ts'
import styles from '../training.module.css'
import type { ChangeSearch, OpenTab, TrainingSearch } from '../training-search.ts'
import { useArrivalFocus } from '../use-arrival-focus.ts'
import { DragHandle, MoveAnnouncement } from './drag-handle.tsx'
import { useDeletes } from './use-deletes.ts'
import { moveItem, useReorder } from './use-reorder.ts'

const ModuleDialog = lazy(() => import('./module-dialog.tsx'))

interface Props {
  course: Course
  search: TrainingSearch
  change: ChangeSearch
  openTab: OpenTab
}

/** The modules of the selected course, in order. */
export function ModulesTab({ course, search, change, openTab }: Props) {
  const query = useQuery(modulesQuery(course.course_key))
  const [isCreating, setCreating] = useState(false)
  const edited = query.data?.find(({ module_key }) => module_key === search.edit)
  const opener = useRef<HTMLButtonElement>(null)
  useArrivalFocus(opener, query.data?.length === 0)
  // Both buttons return focus to this one, because the other disappears with the empty state.
  const create = () => {
    opener.current?.focus({ preventScroll: true })
    setCreating(true)
  }
  const createButton = (
    <Button ref={opener} leftSection={<Icon of={IconPlus} />} onClick={create}>
      Create Module
    </Button>
  )
  const actions = (
    <>
      {(query.data?.length ?? 0) > 5 && (
        <FindField label="Find modules" value={search.q} onChange={(q) => change({ q }, { replace: true })} />
      )}
      {createButton}
    </>
  )
  const empty = (
    <EmptyState
      icon={IconStack2}
      title="No modules yet"
      action={
        <Button variant="default" onClick={create}>
          Create first module
        </Button>
      }
    >
      Modules group the lessons of a course.
    </EmptyState>
  )
  return (
    <SectionCard title="Modules" count={query.data?.length} actions={actions} isFlush hasLine>
      <QueryView query={query} isEmpty={(modules) => modules.length === 0} empty={empty}>
        {(modules) => <ModuleList modules={modules} q={search.q} {...{ change, openTab }} />}
      </QueryView>
      <Suspense fallback={null}>
        {(isCreating || edited) && (
          <ModuleDialog
            course={course}
            modules={query.data ?? []}
            module={edited}
            isCreating={isCreating}
            onClose={() => {
              setCreating(false)
              change({ edit: '' })
            }}
          />
        )}
      </Suspense>
    </SectionCard>
  )
}

interface ListProps extends Pick<Props, 'change' | 'openTab'> {
  modules: readonly Module[]
  q: string
}

function ModuleList({ modules, q, change, openTab }: ListProps) {
  const { removeModule } = useDeletes()
  const { fail } = useNotices()
  const save = useReorderModules()
  const [order, setOrder] = useState<readonly string[]>()
  const byKey = new Map(modules.map((module) => [module.module_key, module]))
  // Keep the dropped order on screen while the server saves it.
  const shown = (order ?? modules.map(({ module_key }) => module_key)).flatMap((key) => byKey.get(key) ?? [])
  const reorder = useReorder(shown.length, (from, to) => {
    const keys = moveItem(shown, from, to).map(({ module_key }) => module_key)
    setOrder(keys)
    const body = { course_key: shown[0]?.course_key ?? '', module_keys: keys }
    void save
      .mutateAsync(body, { onSettled: () => setOrder(undefined) })
      .then((reply) => toastUndo('Modules reordered.', reply), fail)
  })
  const found = shown.filter(({ title, module_key }) => matches(q, title, module_key))
  if (found.length === 0) return <p className={styles.nothing}>No modules match “{q}”.</p>
  return (
    <>
      <ul className={styles.list} aria-label="Modules" ref={reorder.list as RefObject<HTMLUListElement | null>}>
        {found.map((module) => {
          const place = shown.indexOf(module)
          return (
            <li key={module.module_key} className={styles.item} {...reorder.rowOf(place)}>
              {q === '' && <DragHandle reorder={reorder} place={place} name={module.title} />}
              <span className={styles.number}>{place + 1}</span>
              <div className={styles.itemText}>
                <span className={styles.itemTitle}>
                  {module.title}
                  {!module.is_active && <span className={styles.tag}>Inactive</span>}
                  {!module.is_required && <span className={styles.tag}>Optional</span>}
                </span>
                <span className={styles.itemDetail}>{module.description ?? NO_DESCRIPTION}</span>
              </div>
              <button
                type="button"
                className={styles.link}
                onClick={() => openTab('lessons', { module: module.module_key })}
              >
                {pluralize(module.lessonCount, 'lesson')}
              </button>
              <span className={styles.figure}>
                {module.estimated_duration_minutes === null ? '' : `${module.estimated_duration_minutes} min`}
              </span>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`Edit ${module.title}`}
                onClick={() => change({ edit: module.module_key })}
              >
                Edit
              </Button>
              <ActionIcon size={28} aria-label={`Delete ${module.title}`} onClick={() => void removeModule(module)}>
                <Icon of={IconTrash} />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      <MoveAnnouncement reorder={reorder} />
    </>
  )
}
