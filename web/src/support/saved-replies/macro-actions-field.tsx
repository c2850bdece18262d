import { MAX_CREDITS } from '@limber/contract/support/customers/account.ts'
import { MAX_MACRO_ACTIONS, type MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import { CloseButton, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tagsQuery } from '#support/queues/queue.api.ts'
import { useField } from '#ui/form/form-state.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { ticketWorkersQuery } from '../tickets/ticket.api.ts'
import { statusOptions } from '../tickets/ticket-labels.ts'
import { stepIcons } from './macro-labels.ts'
import styles from './saved-replies.module.css'

interface Choice {
  value: string
  label: string
}

interface Options {
  tags: readonly Choice[]
  workers: readonly Choice[]
}

const DAYS: readonly Choice[] = [
  { value: '0', label: 'The same day' },
  { value: '1', label: 'After 1 day' },
  ...[2, 3, 5, 7, 14, 30].map((days) => ({ value: String(days), label: `After ${days} days` })),
]
const CREDITS: readonly Choice[] = Array.from({ length: MAX_CREDITS }, (_, place) => ({
  value: String(place + 1),
  label: place === 0 ? '1 credit' : `${place + 1} credits`,
}))

const labels: Record<MacroAction['type'], string> = {
  status: 'Set status',
  tag: 'Add tag',
  assign: 'Assign to',
  credits: 'Grant credits',
  callback: 'Call-back task',
}

/** The choice inside an action: its options, its value, and the action with another value. */
function choiceOf(action: MacroAction, { tags, workers }: Options) {
  switch (action.type) {
    case 'status':
      return {
        data: statusOptions,
        value: action.status,
        set: (value: string): MacroAction => ({ ...action, status: value as typeof action.status }),
      }
    case 'tag':
      return { data: tags, value: String(action.tag), set: (value: string) => ({ ...action, tag: Number(value) }) }
    case 'assign':
      return {
        data: [{ value: 'me', label: 'Whoever sends it' }, ...workers],
        value: String(action.worker),
        set: (value: string): MacroAction => ({ ...action, worker: value === 'me' ? 'me' : Number(value) }),
      }
    case 'credits':
      return {
        data: CREDITS,
        value: String(action.credits),
        set: (value: string) => ({ ...action, credits: Number(value) }),
      }
    case 'callback':
      return { data: DAYS, value: String(action.days), set: (value: string) => ({ ...action, days: Number(value) }) }
  }
}

/** A new action with its first value; undefined when there is nothing to choose. */
function newAction(
  type: MacroAction['type'],
  actions: readonly MacroAction[],
  { tags }: Options,
): MacroAction | undefined {
  switch (type) {
    case 'status':
      return { type, status: 'in_progress' }
    case 'tag': {
      const free = tags.find(({ value }) => !actions.some((one) => one.type === 'tag' && String(one.tag) === value))
      return free && { type, tag: Number(free.value) }
    }
    case 'assign':
      return { type, worker: 'me' }
    case 'credits':
      return { type, credits: 1 }
    case 'callback':
      return { type, days: 1 }
  }
}

/** A stored value that is no longer among the options stays selectable, so that it can be seen and replaced. */
const withValue = (data: readonly Choice[], value: string): Choice[] =>
  data.some((one) => one.value === value) ? [...data] : [{ value, label: 'Does not exist anymore' }, ...data]

/** The actions of a saved reply. */
export function MacroActionsField({ name }: { name: string }) {
  const { value: actions, error, set } = useField<readonly MacroAction[]>(name, 'Actions', [])
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const choices = (list: readonly { id: number; name: string }[]) =>
    list.map((one) => ({ value: String(one.id), label: one.name }))
  const options: Options = { tags: choices(tags), workers: choices(workers) }
  const types = (Object.keys(labels) as MacroAction['type'][]).filter(
    (type) =>
      (type === 'tag' || !actions.some((one) => one.type === type)) && newAction(type, actions, options) !== undefined,
  )
  return (
    <fieldset className={styles.actions}>
      <legend>Actions when it is sent</legend>
      {actions.map((action, place) => {
        const { data, value, set: change } = choiceOf(action, options)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no ids and keep their places
          <div key={place} className={styles.action}>
            <Icon of={stepIcons[action.type]} />
            <span className={styles.kind}>{labels[action.type]}</span>
            <NativeSelect
              aria-label={labels[action.type]}
              data={withValue(data, value)}
              value={value}
              onChange={({ currentTarget }) => set(actions.with(place, change(currentTarget.value)))}
            />
            <CloseButton
              aria-label={`Remove: ${labels[action.type]}`}
              onClick={() => set(actions.filter((_, other) => other !== place))}
            />
          </div>
        )
      })}
      {actions.length < MAX_MACRO_ACTIONS && types.length > 0 && (
        <NativeSelect
          aria-label="Add an action"
          data={[{ value: '', label: '+ Action' }, ...types.map((type) => ({ value: type, label: labels[type] }))]}
          value=""
          onChange={({ currentTarget }) => {
            const added = newAction(currentTarget.value as MacroAction['type'], actions, options)
            if (added) set([...actions, added])
          }}
        />
      )}
      {error && <p className={styles.problem}>{error}</p>}
    </fieldset>
  )
}
