import type { CityTask } from '@limber/contract/growth/task.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#ui/day-text.ts'
import { Pager } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { toast, toastFailure } from '#ui/toast-store.ts'
import { useAssignees } from '../growth.api.ts'
import { teamTasksQuery, useAssignTask } from './team.api.ts'
import styles from './team.module.css'

function Task({ task, workers }: { task: CityTask; workers: readonly { id: number; name: string }[] }) {
  const assign = useAssignTask()
  const give = (assignedTo: number) =>
    assign.mutate(
      { id: task.id, assignedTo, version: task.version },
      {
        onSuccess: ({ assignedTo: name }) => toast(`${task.title} is with ${name}.`),
        onError: (error) => toastFailure('The task was not assigned', error),
      },
    )
  const facts = [task.cityName, task.due && `due ${dayText(task.due)}`, `${task.priority} priority`].filter(Boolean)
  return (
    <li>
      <div className={styles.words}>
        <p>{task.title}</p>
        <p className={styles.meta}>{facts.join(', ')}</p>
      </div>
      {task.assignedTo ? (
        <span>{task.assignedTo}</span>
      ) : (
        <NativeSelect
          className={styles.assign ?? ''}
          aria-label={`Assign ${task.title}`}
          size="xs"
          data={[
            { value: '', label: 'Assign...' },
            ...workers.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value=""
          disabled={assign.isPending}
          onChange={(event) => {
            if (event.currentTarget.value) give(Number(event.currentTarget.value))
          }}
        />
      )}
    </li>
  )
}

/** Open tasks, those that are due first; what nobody has can be given away here. */
export function TeamTasks({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const query = useQuery(teamTasksQuery(page))
  const workers = useAssignees().data?.workers ?? []
  return (
    <SectionCard title="Tasks" count={query.data?.pagination.totalItems} isFlush>
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
