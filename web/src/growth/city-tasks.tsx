import type { CityTask } from '@limber/contract/growth/task.ts'
import { Checkbox } from '@mantine/core'
import { whole } from '#ui/counted.ts'
import { dayText } from '#ui/day-text.ts'
import { toastFailure } from '#ui/toast-store.ts'
import { useChangeTask } from './growth.api.ts'
import styles from './heatmap.module.css'

const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${whole(Math.abs(value))}`

/** What came of it: the newest mark in words. */
function Outcome({ task }: { task: CityTask }) {
  const mark = task.marks.at(-1)
  if (!mark) return null
  const { users, activeUsers, sessions } = mark.change
  return (
    <p className={styles.outcome}>
      After {mark.afterDays} days: {signed(users)} users, {signed(activeUsers)} active, {signed(sessions)} sessions
    </p>
  )
}

/** The tasks of a city; a tick finishes one, taking it away opens it again. */
export function CityTasks({ tasks }: { tasks: readonly CityTask[] }) {
  const change = useChangeTask()
  if (tasks.length === 0) return <p className={styles.none}>No tasks for this city yet.</p>
  const tick = ({ id, version }: CityTask, isDone: boolean) =>
    change.mutate(
      { id, version, status: isDone ? 'done' : 'open' },
      { onError: (error) => toastFailure('The task was not changed', error) },
    )
  return (
    <ul className={styles.tasks}>
      {tasks.map((task) => (
        <li key={task.id} data-done={task.status === 'done' || undefined}>
          <div className={styles.task}>
            <Checkbox
              label={task.title}
              checked={task.status === 'done'}
              onChange={(event) => tick(task, event.currentTarget.checked)}
            />
            <span className={styles.due}>{task.status === 'open' && task.due ? dayText(task.due) : ''}</span>
          </div>
          <p className={styles.meta}>
            {task.priority[0]?.toUpperCase() + task.priority.slice(1)}
            {task.assignedTo ? `, ${task.assignedTo}` : ', nobody yet'}
          </p>
          <Outcome task={task} />
        </li>
      ))}
    </ul>
  )
}
