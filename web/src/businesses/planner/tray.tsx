import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { addDays, daysBetween } from '@limber/contract/kit/days.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { TextInput } from '@mantine/core'
import { IconGripVertical, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { now } from '#platform/clock.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { unusedBlocksQuery } from '../blocks/block.api.ts'
import styles from './planner.module.css'

const SOON_DAYS = 30
const VERY_SOON_DAYS = 14
const FIRST_SHOWN = 12

export const expiresSoon = ({ expires_on, business }: UnusedBlock) =>
  expires_on !== null && expires_on <= addDays(dayIn(business.time_zone, now()), SOON_DAYS)

function Expiry({ block: { expires_on, business } }: { block: UnusedBlock }) {
  if (expires_on === null) return <span className={styles.until}>Never expires</span>
  const left = daysBetween(dayIn(business.time_zone, now()), expires_on)
  if (left > SOON_DAYS) return <span className={styles.until}>Good until {dayText(expires_on)}</span>
  const when = left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`
  return (
    <span className={styles.until} data-meaning={left <= VERY_SOON_DAYS ? 'red' : 'amber'}>
      Expires {dayText(expires_on)}, {when}
    </span>
  )
}

interface CardProps {
  block: UnusedBlock
  isLifted: boolean
  /** Undefined where there is no week to drag to. */
  onDrag: ((block: UnusedBlock | undefined) => void) | undefined
  onChoose: (block: UnusedBlock) => void
}

function BlockCard({ block, isLifted, onDrag, onChoose }: CardProps) {
  const { internal_label, block_hours, business } = block
  return (
    <button
      type="button"
      className={styles.block}
      aria-pressed={isLifted}
      draggable={onDrag !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(block.id))
        // Chrome ends the drag at once if the page changes while it begins.
        setTimeout(() => onDrag?.(block))
      }}
      // A refused drop leaves it lifted, with the reasons.
      onDragEnd={({ dataTransfer }) => dataTransfer.dropEffect === 'none' && onDrag?.(undefined)}
      onClick={() => onChoose(block)}
    >
      {onDrag && <Icon of={IconGripVertical} size={14} />}
      <span className={styles.name}>{business.name}</span>
      <span className={styles.what}>
        {internal_label || `Block ${block.id}`} · {block_hours} h
      </span>
      {isLifted ? <span className={styles.until}>Placing…</span> : <Expiry block={block} />}
    </button>
  )
}

type Props = Omit<CardProps, 'block' | 'isLifted'> & { lifted: number | undefined }

function Group({ title, blocks, lifted, ...card }: Props & { title: string; blocks: readonly UnusedBlock[] }) {
  if (blocks.length === 0) return null
  return (
    <section className={styles.group} aria-label={title}>
      <h3>
        {title} <span className={styles.count}>{formatInteger(blocks.length)}</span>
      </h3>
      {blocks.map((block) => (
        <BlockCard key={block.id} block={block} isLifted={block.id === lifted} {...card} />
      ))}
    </section>
  )
}

function Blocks({ blocks, isMore, ...card }: Props & { blocks: readonly UnusedBlock[]; isMore: boolean }) {
  const [text, setText] = useState('')
  const [isAll, setAll] = useState(false)
  const words = text.trim().toLowerCase()
  const matching = blocks.filter(({ business, internal_label }) =>
    `${business.name} ${internal_label}`.toLowerCase().includes(words),
  )
  const shown = isAll || words ? matching : matching.slice(0, FIRST_SHOWN)
  const hidden = matching.length - shown.length
  return (
    <>
      <TextInput
        aria-label="Search blocks"
        placeholder="Business or label"
        leftSection={<Icon of={IconSearch} />}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group title={`Expire within ${SOON_DAYS} days`} blocks={shown.filter(expiresSoon)} {...card} />
      <Group title="Unused" blocks={shown.filter((block) => !expiresSoon(block))} {...card} />
      {matching.length === 0 && <p className={styles.muted}>No block matches.</p>}
      {hidden > 0 && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show {formatInteger(hidden)} more
        </button>
      )}
      {isMore && hidden === 0 && (
        <p className={styles.muted}>
          Only the {formatInteger(blocks.length)} blocks that expire first are listed. Others are with their business.
        </p>
      )}
    </>
  )
}

/** The blocks that can still be scheduled, those that expire first at the top. */
export function Tray(props: Props) {
  const query = useQuery(unusedBlocksQuery)
  const blocks = query.data?.blocks ?? []
  const hours = blocks.reduce((sum, { block_hours }) => sum + block_hours, 0)
  return (
    <>
      <h2 className={styles.title}>
        Blocks to place{' '}
        {blocks.length > 0 && (
          <span className={styles.count}>
            {formatInteger(blocks.length)}
            {query.data?.isMore && '+'} · {formatInteger(hours)} h
          </span>
        )}
      </h2>
      <QueryView
        query={query}
        failure="Couldn't load blocks"
        loading={<ListSkeleton rows={5} hasPicture={false} />}
        isEmpty={(data) => data.blocks.length === 0}
        empty={<p className={styles.muted}>All prepaid blocks are placed.</p>}
      >
        {(data) => <Blocks blocks={data.blocks} isMore={data.isMore} {...props} />}
      </QueryView>
    </>
  )
}
