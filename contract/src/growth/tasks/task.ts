import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'

export const taskPriorities = ['low', 'medium', 'high'] as const
/** Case-insensitive, because forms send 'Medium'. */
const Priority = z
  .string()
  .max(10)
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(taskPriorities, 'must be Low, Medium or High'))
export type TaskPriority = (typeof taskPriorities)[number]

export const TaskStatus = z.enum(['open', 'done'])
export type TaskStatus = z.infer<typeof TaskStatus>

/** The city's figures over 30 days that measure a task. */
export const TaskFigures = z.object({ users: z.int(), activeUsers: z.int(), sessions: z.int(), revenue: Dollars })
export type TaskFigures = z.infer<typeof TaskFigures>

export const CityTask = z.object({
  id: Id,
  title: z.string(),
  details: z.string(),
  due: Day.nullable(),
  priority: z.enum(taskPriorities),
  type: z.literal('growth'),
  status: TaskStatus,
  cityName: z.string().nullable(),
  /** Name of the assignee. */
  assignedTo: z.string().nullable(),
  assigneeId: Id.nullable(),
  createdBy: z.string().nullable(),
  createdAt: Moment,
  doneAt: Moment.nullable(),
  /** The city's figures on the day the task was created; null without a city. */
  figures: TaskFigures.nullable(),
  /** How the figures changed after 30, 60 and 90 days. */
  marks: z.array(z.object({ afterDays: z.int(), change: TaskFigures })),
  version: Version,
})
export type CityTask = z.infer<typeof CityTask>

const noAssignee = [422, 'This worker does not have access to Growth.'] as const
const fields = {
  title: Text(200),
  /** Null means an empty description. */
  description: Text(5000, 0).nullable(),
  dueDate: Day.nullable(),
  priority: Priority,
  cityName: Text(120, 0).nullable(),
  assignedTo: Id.nullable(),
}

export const listTasks = defineCall({
  method: 'GET',
  path: '/api/marketing/tasks',
  summary: 'City tasks: open ones first, by due date',
  permission: 'growth.tab',
  query: z.strictObject({
    ...pageQuery({ limit: 50 }),
    status: z.enum(['open', 'done', '']).default(''),
    assignee: z.union([IdText, z.enum(['me', 'none', ''])]).default(''),
    city: z.string().max(120).default(''),
  }),
  reply: z.object({ tasks: z.array(CityTask), pagination: Pagination }),
})

export const exportTasks = exportCall(listTasks, 'city-tasks')

export const createTask = defineCall({
  method: 'POST',
  path: '/api/marketing/tasks',
  summary: 'Create a city task; it stores the figures of that day',
  permission: 'growth.tab',
  body: z.strictObject({
    title: fields.title,
    description: fields.description.default(''),
    dueDate: fields.dueDate.default(null),
    priority: fields.priority.default('medium'),
    type: z.literal('growth').default('growth'),
    cityName: fields.cityName.default(null),
    assignedTo: fields.assignedTo.default(null),
  }),
  reply: CityTask,
  refusals: { no_assignee: noAssignee },
})
export type CreateTask = BodyOf<typeof createTask>

export const changeTask = defineCall({
  method: 'PATCH',
  path: '/api/marketing/tasks/:id',
  summary: 'Change, assign, finish or reopen a city task',
  permission: 'growth.tab',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({
    title: fields.title.optional(),
    description: fields.description.optional(),
    dueDate: fields.dueDate.optional(),
    priority: fields.priority.optional(),
    assignedTo: fields.assignedTo.optional(),
    status: TaskStatus.optional(),
    version: Version.optional(),
  }),
  reply: CityTask,
  refusals: {
    not_found: [404, 'This task does not exist.'],
    stale: staleRefusal('this task', CityTask),
    no_assignee: noAssignee,
  },
})
export type ChangeTask = BodyOf<typeof changeTask>

/** Workers who can be assigned a task. */
export const listTaskAssignees = defineCall({
  method: 'GET',
  path: '/api/marketing/task-assignees',
  summary: 'Workers who can be assigned a city task',
  permission: 'growth.tab',
  reply: z.object({ workers: z.array(z.object({ id: Id, name: z.string() })) }),
})
