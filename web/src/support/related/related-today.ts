import { companyDay } from '@limber/contract/kit/company.ts'
import { IconCalendarEvent, IconEye, IconPhone } from '@tabler/icons-react'
import { now } from '#platform/clock.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { dayText } from '#ui/format/day-text.ts'
import { readMyTasks, readWatched } from './related.api.ts'
import { taskText } from './related-labels.ts'

const SHOWN = 5

/** This worker's tasks from tickets that are due. */
export async function findDueTasks(signal: AbortSignal): Promise<TodayItem[]> {
  const today = companyDay(now())
  const due = (await readMyTasks(signal)).filter(({ dueOn }) => dueOn <= today)
  return due.slice(0, SHOWN).map((task) => ({
    id: `ticket-task-${task.id}`,
    title: `${taskText(task)}: ${task.customer}`,
    detail: task.dueOn < today ? `Was due ${dayText(task.dueOn)} · ${task.ticket.subject}` : task.ticket.subject,
    isUrgent: task.dueOn < today,
    path: hrefTo('/support/tickets', { ticket: task.ticket.id }),
    icon: task.kind === 'callback' ? IconPhone : IconCalendarEvent,
  }))
}

/** Tickets that this worker watches in which others did something. */
export async function findWatchedNews(signal: AbortSignal): Promise<TodayItem[]> {
  return (await readWatched(signal)).slice(0, SHOWN).map(({ id, subject, change }) => ({
    id: `watched-${id}`,
    title: subject,
    detail: change,
    path: hrefTo('/support/tickets', { ticket: id }),
    icon: IconEye,
  }))
}
