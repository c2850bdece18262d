import type { CityTask, TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useChangeTask } from '../growth.api.ts'
import { priorityText, roundDollars, signed, signOf } from '../labels.ts'
import styles from '../map/heatmap.module.css'
import { TaskDue } from './task-due.tsx'

const EditTask = lazy(() => import('./edit-task.tsx'))

const figuresText = ({ users, activeUsers, sessions, revenue }: TaskFigures) =>
  `${formatInteger(users)} users, ${formatInteger(activeUsers)} active, ${formatInteger(sessions)} sessions, ${roundDollars(revenue)}`

const changesText = ({ users, activeUsers, sessions, revenue }: TaskFigures) =>
  `${signed(users)} users, ${signed(activeUsers)} active, ${signed(sessions)} sessions, ${signOf(revenue)}${roundDollars(Math.abs(revenue))}`

/** The figures on the day of the task, and how they changed at each mark. */
function Outcome({ task: { figures, marks } }: { task: CityTask }) {
  if (!figures) return null
  return (
    <div className={styles.outcome}>
      <div>On the day of the task: {figuresText(figures)}</div>
      {marks.map(({ afterDays, change }) => (
        <div key={afterDays}>
          After {afterDays} days: {changesText(change)}
        </div>
      ))}
    </div>
  )
}

/** The tasks of a city. Checking one finishes it; unchecking reopens it. */
export function CityTasks({ tasks }: { tasks: readonly CityTask[] }) {
  const change = useChangeTask()
  const [edited, setEdited] = useState<CityTask>()
  if (tasks.length === 0)
    return <p className={styles.none}>No tasks for this city yet. Add the first one to measure its effect.</p>
  // One promise per change: the next change or a closed drawer would drop the message of this one.
  const toggle = ({ id, version, title }: CityTask, isDone: boolean) =>
    void change.mutateAsync({ id, version, status: isDone ? 'done' : 'open' }).then(
      (saved) => toastUndo(`${title} ${isDone ? 'done' : 'reopened'}.`, saved),
      (error: unknown) => toastFailure("Couldn't change the task", error),
    )
  return (
    <>
      <ul className={styles.tasks}>
        {tasks.map((task) => (
          <li key={task.id} data-done={task.status === 'done' || undefined}>
            <div className={styles.task}>
              <Checkbox
                label={task.title}
                checked={task.status === 'done'}
                onChange={(event) => toggle(task, event.currentTarget.checked)}
              />
              <span className={styles.due}>
                <TaskDue task={task} />
              </span>
            </div>
            <p className={styles.meta}>
              {priorityText(task.priority)}
              {task.assignedTo ? `, ${task.assignedTo}` : ', unassigned'}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label={`Edit ${task.title}`}
                onClick={() => setEdited(task)}
              >
                <Icon of={IconPencil} size={14} />
              </ActionIcon>
            </p>
            <Outcome task={task} />
          </li>
        ))}
      </ul>
      {edited && (
        <Suspense fallback={null}>
          <EditTask task={edited} change={change.mutateAsync} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </>
  )
}
