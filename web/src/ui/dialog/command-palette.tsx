import { Button, Modal, VisuallyHidden } from '@mantine/core'
import { type Icon as Drawn, IconArrowRight, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Highlight } from '../layout/highlight.tsx'
import { Icon } from '../layout/icon.tsx'
import { KeyCap } from '../layout/key-cap.tsx'
import styles from './command-palette.module.css'
import { useLayer } from './layers.ts'

export interface Command {
  id: string
  title: string
  detail?: string
  /** Muted text on the right: where it leads. */
  place?: string
  icon?: Drawn
  /** Running it goes on with typing. */
  keepsOpen?: boolean
  run: () => void
}

/** What is already said before the field: the verb, what was chosen for it, and the words between. */
export type Token = { verb: string } | { slot: string } | { word: string }

/** Shown instead of the results when a sentence is complete. */
export interface Outcome {
  /** What the field is for. */
  label: string
  effects: readonly { label: string; value: string; was?: string }[]
  action: string
  isRunning: boolean
  /** Undefined while something is missing. */
  run: (() => void) | undefined
}

export interface CommandGroup {
  title: string
  commands: readonly Command[]
}

interface Props {
  isOpen: boolean
  onClose: () => void
  text: string
  onText: (text: string) => void
  /** Called once the field has focus and receives what is typed. */
  onReady?: () => void
  groups: readonly CommandGroup[]
  isSearching?: boolean
  tokens?: readonly Token[]
  /** Takes the last part of the sentence back. Escape closes when there is none. */
  onBack?: (() => void) | undefined
  outcome?: Outcome | undefined
}

function TokenView({ token }: { token: Token }) {
  if ('verb' in token) return <b className={styles.verb}>{token.verb}</b>
  if ('slot' in token) return <span className={styles.slot}>{token.slot}</span>
  return <span className={styles.word}>{token.word}</span>
}

function OutcomeView({ outcome: { effects, action, isRunning, run } }: { outcome: Outcome }) {
  return (
    <section className={styles.outcome} aria-label="What will happen">
      <p className={styles.group}>
        <b>What will happen</b> Nothing is saved yet
      </p>
      <dl className={styles.effects} aria-live="polite">
        {effects.map(({ label, value, was }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {was !== undefined && (
                <>
                  {was} <Icon of={IconArrowRight} size={14} /> <VisuallyHidden>to</VisuallyHidden>{' '}
                </>
              )}
              {was === undefined ? value : <b>{value}</b>}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.act}>
        <Button disabled={!run} loading={isRunning} onClick={run}>
          {action}
        </Button>
        <KeyCap keys="Mod Enter" />
      </div>
    </section>
  )
}

/** A search field with a result list for the keyboard. The caller filters the groups. */
export function CommandPalette(props: Props) {
  const { isOpen, onClose, text, onText, onReady, groups, isSearching = false, tokens = [], onBack, outcome } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState(0)
  useLayer(isOpen, outcome && onBack ? onBack : onClose)
  const commands = groups.flatMap((group) => group.commands)
  const at = Math.min(place, Math.max(0, commands.length - 1))
  const active = commands[at]

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts at the top
  useEffect(() => setPlace(0), [text, isOpen])
  useEffect(() => {
    if (active) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const run = (command: Command) => {
    if (!command.keepsOpen) onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setPlace((at + step + commands.length) % Math.max(1, commands.length))
    }
    if (event.key === 'Backspace' && text === '' && onBack) {
      event.preventDefault()
      onBack()
    }
    const isChosen = event.key === 'Enter' || (event.key === 'Tab' && tokens.length > 0 && !event.shiftKey)
    if (isChosen && active && !outcome && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(active)
    }
    if (event.key === 'Enter' && outcome && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (!outcome.isRunning) outcome.run?.()
    }
  }

  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={680}
      yOffset={84}
      closeOnEscape={false}
      classNames={{ inner: styles.inner ?? '', content: styles.content ?? '' }}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content aria-label="Search or jump to" radius="lg" shadow="xl">
        <div className={styles.ask}>
          <Icon of={IconSearch} />
          {tokens.map((token) => (
            <TokenView key={Object.values(token).join()} token={token} />
          ))}
          <input
            className={styles.input}
            role="combobox"
            aria-label={outcome?.label ?? 'Search or jump to'}
            aria-expanded={!outcome}
            aria-controls={`${id}-list`}
            aria-activedescendant={active && !outcome ? `${id}-${active.id}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder={outcome?.label ?? (tokens.length > 0 ? 'Name, email or number' : 'Search or jump to')}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onFocus={onReady}
            data-autofocus
          />
          <KeyCap keys="Esc" />
        </div>
        {outcome && <OutcomeView outcome={outcome} />}
        <div
          className={styles.list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          ref={list}
          hidden={outcome !== undefined}
        >
          {(outcome ? [] : groups).map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
            <div key={group.title} role="group" aria-label={group.title}>
              <div className={styles.group} aria-hidden>
                {group.title}
              </div>
              {group.commands.map((command) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field that owns the list
                <div
                  key={command.id}
                  id={`${id}-${command.id}`}
                  className={styles.option}
                  role="option"
                  tabIndex={-1}
                  aria-selected={command === active}
                  onClick={() => run(command)}
                  onMouseMove={() => setPlace(commands.indexOf(command))}
                >
                  {command.icon && <Icon of={command.icon} />}
                  <span className={styles.text}>
                    <Highlight text={command.title} part={text} />
                    {command.detail && <span className={styles.detail}>{command.detail}</span>}
                  </span>
                  {command.place && <span className={styles.place}>{command.place}</span>}
                </div>
              ))}
            </div>
          ))}
        </div>
        {commands.length === 0 && !outcome && (
          <p className={styles.none} role="status">
            {isSearching ? 'Searching…' : `No results for “${text}”`}
          </p>
        )}
        <div className={styles.foot}>
          <span>
            <KeyCap keys="↑" />
            <KeyCap keys="↓" />
            move
          </span>
          <span>
            <KeyCap keys="Enter" />
            {outcome ? 'run' : tokens.length > 0 ? 'choose' : 'open'}
          </span>
          {tokens.length > 0 && (
            <span>
              <KeyCap keys="Backspace" />
              one step back
            </span>
          )}
          <span className={styles.last}>Shows only what you have access to</span>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
