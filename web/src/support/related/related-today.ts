import { companyDay } from '@limber/contract/kit/company.ts'
import { setTaskDone, type TicketTask } from '@limber/contract/support/tickets/ticket-task.ts'
import { IconCalendarEvent, IconEye, IconPhone } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { act } from '#ui/feedback/act.ts'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { readMyTasks, readWatched } from './related.api.ts'
import { taskText } from './related-labels.ts'

const SHOWN = 5

const checkOff = (task: TicketTask) =>
  act(() => send(setTaskDone, { params: { id: String(task.id) }, body: { isDone: true } }), {
    done: (saved) => toastUndo(`${taskText(task)} done.`, saved),
    failed: "Couldn't change the task",
  })

/** This worker's tasks from tickets that are due. */
export async function findDueTasks(signal: AbortSignal): Promise<TodayItem[]> {
  const today = companyDay(now())
  const due = (await readMyTasks(signal)).filter(({ dueOn }) => dueOn <= today)
  return due.slice(0, SHOWN).map((task) => ({
    id: `ticket-task-${task.id}`,
    need: 'due',
    title: `${taskText(task)}: ${task.customer}`,
    detail: task.ticket.subject,
    due: task.dueOn,
    ...(task.dueOn < today && { when: `Was due ${dayText(task.dueOn)}` }),
    isUrgent: task.dueOn < today,
    path: hrefTo('/support/tickets', { ticket: task.ticket.id }),
    icon: task.kind === 'callback' ? IconPhone : IconCalendarEvent,
    action: { label: 'Done', run: () => checkOff(task) },
  }))
}

/** Tickets that this worker watches in which others did something. */
export async function findWatchedNews(signal: AbortSignal): Promise<TodayItem[]> {
  return (await readWatched(signal)).slice(0, SHOWN).map(({ id, subject, change }) => ({
    id: `watched-${id}`,
    need: 'tidy',
    title: subject,
    detail: change,
    path: hrefTo('/support/tickets', { ticket: id }),
    icon: IconEye,
    action: { label: 'Open' },
  }))
}
