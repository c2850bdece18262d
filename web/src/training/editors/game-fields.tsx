import { BodyView, type GameData, type Muscle, muscles } from '@limber/contract/training/lessons/game.ts'
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { MediaField } from '../assets/media-field.tsx'
import { DragHandle, MoveAnnouncement } from '../courses/drag-handle.tsx'
import { moveItem, useReorder } from '../courses/use-reorder.ts'
import { capitalize } from '../labels.ts'
import { muscleName } from '../preview/body-map.tsx'
import { useListEntry } from '../use-list-entry.ts'
import styles from './editors.module.css'

interface ListProps<T> {
  label: string
  /** The singular name, such as `card`. */
  one: string
  entries: readonly T[]
  blank: T
  onChange: (entries: T[]) => void
  children: (entry: T, set: (entry: T) => void, place: number) => ReactNode
}

/** A list of entries that can be added, edited, reordered and removed. */
function EntryList<T>({ label, one, entries, blank, onChange, children }: ListProps<T>) {
  const reorder = useReorder(entries.length, (from, to) => onChange(moveItem(entries, from, to)))
  const { addNext, onKeyDown } = useListEntry(reorder.list, entries.length, () => onChange([...entries, blank]))
  return (
    <fieldset className={styles.stack}>
      <legend className={styles.sideLabel}>{label}</legend>
      <ol className={styles.entries} ref={reorder.list as RefObject<HTMLOListElement | null>} onKeyDown={onKeyDown}>
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is identified by its position
          <li key={place} className={styles.entry} {...reorder.rowOf(place)}>
            <DragHandle reorder={reorder} place={place} name={`${one} ${place + 1}`} />
            <div className={styles.entryFields}>
              {children(entry, (next) => onChange(entries.map((old, at) => (at === place ? next : old))), place)}
            </div>
            <ActionIcon
              size={32}
              aria-label={`Remove ${one} ${place + 1}`}
              onClick={() => onChange(entries.filter((_, at) => at !== place))}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <MoveAnnouncement reorder={reorder} />
      <div>
        <Button variant="default" size="xs" leftSection={<Icon of={IconPlus} size={14} />} onClick={addNext}>
          {`Add ${one}`}
        </Button>
      </div>
    </fieldset>
  )
}

interface Props<T> {
  data: T
  onChange: (data: T) => void
}

export function CardFields({ data, onChange }: Props<GameData<'flashcards'>>) {
  return (
    <EntryList
      label="Cards"
      one="card"
      entries={data.cards ?? []}
      blank={{ front: '', back: '', image: '' }}
      onChange={(cards) => onChange({ cards })}
    >
      {(card, set, place) => (
        <>
          <TextInput
            label={`Front of card ${place + 1}`}
            value={card.front}
            onChange={(event) => set({ ...card, front: event.currentTarget.value })}
          />
          <TextInput
            label={`Back of card ${place + 1}`}
            value={card.back}
            onChange={(event) => set({ ...card, back: event.currentTarget.value })}
          />
          <MediaField
            label={`Image of card ${place + 1}`}
            value={card.image}
            only="image"
            onChange={(image) => set({ ...card, image })}
          />
        </>
      )}
    </EntryList>
  )
}

export function PairFields({ data, onChange }: Props<GameData<'match_pairs'>>) {
  return (
    <EntryList
      label="Pairs"
      one="pair"
      entries={data.pairs ?? []}
      blank={{ left: '', right: '' }}
      onChange={(pairs) => onChange({ pairs })}
    >
      {(pair, set, place) => (
        <div className={styles.pair}>
          <TextInput
            label={`Left of pair ${place + 1}`}
            value={pair.left}
            onChange={(event) => set({ ...pair, left: event.currentTarget.value })}
          />
          <TextInput
            label={`Right of pair ${place + 1}`}
            value={pair.right}
            onChange={(event) => set({ ...pair, right: event.currentTarget.value })}
          />
        </div>
      )}
    </EntryList>
  )
}

export function StepFields({ data, onChange }: Props<GameData<'order_steps'>>) {
  return (
    <EntryList
      label="Steps, in the correct order"
      one="step"
      entries={data.steps ?? []}
      blank=""
      onChange={(steps) => onChange({ steps })}
    >
      {(step, set, place) => (
        <TextInput label={`Step ${place + 1}`} value={step} onChange={(event) => set(event.currentTarget.value)} />
      )}
    </EntryList>
  )
}

export function BodyMapFields({ data, onChange }: Props<GameData<'body_map'>>) {
  const { view = 'front', targets = [] } = data
  const options = muscles[view].map((muscle) => ({ value: muscle, label: capitalize(muscleName(muscle)) }))
  // Muscles that are not visible from this side cannot be targets.
  const turn = (next: BodyView) =>
    onChange({
      view: next,
      targets: targets.filter(({ muscle }) => (muscles[next] as readonly string[]).includes(muscle)),
    })
  return (
    <>
      <NativeSelect
        label="Side of the body"
        value={view}
        data={BodyView.options.map((side) => ({ value: side, label: capitalize(side) }))}
        onChange={(event) => turn(event.currentTarget.value as BodyView)}
      />
      <EntryList
        label="Muscles to mark"
        one="muscle"
        entries={targets}
        blank={{ muscle: muscles[view][0], prompt: '' }}
        onChange={(next) => onChange({ view, targets: next })}
      >
        {(target, set, place) => (
          <div className={styles.pair}>
            <NativeSelect
              label={`Muscle ${place + 1}`}
              value={target.muscle}
              data={options}
              onChange={(event) => set({ ...target, muscle: event.currentTarget.value as Muscle })}
            />
            <TextInput
              label={`Prompt ${place + 1}`}
              placeholder="Mark the muscle that bends the elbow"
              value={target.prompt}
              onChange={(event) => set({ ...target, prompt: event.currentTarget.value })}
            />
          </div>
        )}
      </EntryList>
    </>
  )
}
