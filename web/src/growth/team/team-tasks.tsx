import { type CityTask, exportTasks } from '@limber/contract/growth/tasks/task.ts'
import { ActionIcon, Checkbox, NativeSelect } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { type TurnPage, useLastPage } from '#ui/table/use-last-page.ts'
import { useAssignees } from '../growth.api.ts'
import { TaskDue } from '../tasks/task-due.tsx'
import { teamTasksQuery, useChangeTeamTask } from './team.api.ts'
import styles from './team.module.css'

const EditTask = lazy(() => import('../tasks/edit-task.tsx'))

function Task({ task, workers }: { task: CityTask; workers: readonly { id: number; name: string }[] }) {
  const change = useChangeTeamTask()
  const [isEditing, setEditing] = useState(false)
  const { id, version, title } = task
  const assign = (assignedTo: number) =>
    void change.mutateAsync({ id, assignedTo, version }).then(
      (task) => toastUndo(`${title} assigned to ${task.assignedTo}.`, task),
      (error: unknown) => toastFailure("Couldn't assign the task", error),
    )
  // The row disappears after the change, so the toast must outlive it.
  const finish = () =>
    change.mutateAsync({ id, status: 'done', version }).then(
      (done) => toastUndo(`${title} done.`, done),
      (error: unknown) => toastFailure("Couldn't change the task", error),
    )
  return (
    <li>
      <Checkbox
        aria-label={`Finish ${title}`}
        checked={false}
        disabled={change.isPending}
        onChange={() => void finish()}
      />
      <div className={styles.words}>
        <p>{title}</p>
        {task.details && <p className={styles.details}>{task.details}</p>}
        <p className={styles.meta}>
          {task.due && (
            <>
              <TaskDue task={task} />,{' '}
            </>
          )}
          {task.cityName && (
            <>
              <Link {...linkTo('/growth/heatmap', { place: task.cityName })}>{task.cityName}</Link>,{' '}
            </>
          )}
          {task.priority} priority
        </p>
      </div>
      {task.assignedTo ? (
        <span>{task.assignedTo}</span>
      ) : (
        <NativeSelect
          className={styles.assign ?? ''}
          aria-label={`Assign ${title}`}
          size="xs"
          data={[
            { value: '', label: 'Assign...' },
            ...workers.map((worker) => ({ value: String(worker.id), label: worker.name })),
          ]}
          value=""
          disabled={change.isPending}
          onChange={(event) => {
            if (event.currentTarget.value) assign(Number(event.currentTarget.value))
          }}
        />
      )}
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Edit ${title}`} onClick={() => setEditing(true)}>
        <Icon of={IconPencil} size={14} />
      </ActionIcon>
      {isEditing && (
        <Suspense fallback={null}>
          <EditTask task={task} change={change.mutateAsync} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </li>
  )
}

/** Open tasks, sorted by due date. Tasks can be finished, assigned and edited. */
export function TeamTasks({ page, onPage }: { page: number; onPage: TurnPage }) {
  const query = useQuery(teamTasksQuery(page))
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, onPage)
  const total = query.data?.pagination.totalItems
  const workers = useAssignees().data?.workers ?? []
  return (
    <SectionCard
      title="Tasks"
      count={total}
      actions={<ExportButton call={exportTasks} query={{ status: 'open' }} total={total} />}
      isFlush
    >
      <QueryView
        query={query}
        isEmpty={({ tasks }) => tasks.length === 0}
        empty={<p className={styles.none}>No tasks available</p>}
      >
        {({ tasks, pagination }) => (
          <>
            <ul className={styles.tasks}>
              {tasks.map((task) => (
                <Task key={task.id} task={task} workers={workers} />
              ))}
            </ul>
            {pagination.totalPages > 1 && (
              <div className={styles.foot}>
                <Pager page={page} pages={pagination.totalPages} onPage={onPage} label="Pages of tasks" />
              </div>
            )}
          </>
        )}
      </QueryView>
    </SectionCard>
  )
}
