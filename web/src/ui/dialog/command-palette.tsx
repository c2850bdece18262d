import { Button, Modal, VisuallyHidden } from '@mantine/core'
import { type Icon as Drawn, IconArrowRight, IconFingerprint, IconSearch } from '@tabler/icons-react'
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
  /** Why it cannot be chosen. */
  refusal?: string
  /** The key that does the same without the palette. */
  keys?: string | undefined
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
  effects: readonly { icon: Drawn; label: string; value: string; was?: string }[]
  action: string
  asksPasskey: boolean
  isRunning: boolean
  /** Undefined while something is missing. */
  run: (() => void) | undefined
  /** Opens the dialog that asks for the same. */
  onForm?: (() => void) | undefined
}

export interface CommandGroup {
  title: string
  /** What its records are found by. */
  hint?: string | undefined
  commands: readonly Command[]
}

interface Props {
  isOpen: boolean
  onClose: () => void
  text: string
  onText: (text: string) => void
  /** Called once the field has focus and receives what is typed. */
  onReady?: () => void
  /** `?` in the empty field. */
  onHelp?: () => void
  groups: readonly CommandGroup[]
  isSearching?: boolean
  /** What to type, while a sentence waits for a part. */
  hint?: string | undefined
  /** What was not found, in words. */
  none?: string | undefined
  /** Asks again, when the server could not be asked. */
  onRetry?: (() => void) | undefined
  tokens?: readonly Token[]
  /** Takes the last part of the sentence back, also with Escape, which closes when there is none. */
  onBack?: (() => void) | undefined
  outcome?: Outcome | undefined
}

function TokenView({ token }: { token: Token }) {
  if ('verb' in token) return <b className={styles.verb}>{token.verb}</b>
  if ('slot' in token) return <span className={styles.slot}>{token.slot}</span>
  return <span className={styles.word}>{token.word}</span>
}

function OutcomeView({ outcome: { effects, action, asksPasskey, isRunning, run, onForm } }: { outcome: Outcome }) {
  return (
    <section className={styles.outcome} aria-label="What will happen">
      <p className={styles.happens}>
        <b>What will happen</b> Nothing is saved yet
      </p>
      <dl className={styles.effects} aria-live="polite">
        {effects.map(({ icon, label, value, was }) => (
          <div key={label}>
            <Icon of={icon} />
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
      {asksPasskey && (
        <p className={styles.passkey}>
          <Icon of={IconFingerprint} />
          <b>Asks for your passkey</b> before it is done.
        </p>
      )}
      <div className={styles.act}>
        {onForm && (
          <Button variant="subtle" onClick={onForm}>
            Open as form
          </Button>
        )}
        <Button
          className={styles.run ?? ''}
          leftSection={asksPasskey && <Icon of={IconFingerprint} />}
          disabled={!run}
          loading={isRunning}
          onClick={run}
        >
          {action}
        </Button>
        <KeyCap keys="Mod Enter" />
      </div>
    </section>
  )
}

/** A search field with a result list for the keyboard. The caller filters the groups. */
export function CommandPalette(props: Props) {
  const { isOpen, onClose, text, onText, onReady, onHelp, groups, tokens = [], onBack, outcome } = props
  const { isSearching = false, hint, none, onRetry } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<string>()
  useLayer(isOpen, onBack ?? onClose)
  const commands = groups.flatMap((group) => group.commands)
  // What arrives later does not take the selection. Below an outcome nothing is selected until an arrow is pressed.
  const at = Math.max(
    outcome ? -1 : 0,
    commands.findIndex((command) => command.id === chosen),
  )
  const active = commands[at]

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts at the top
  useEffect(() => setChosen(undefined), [text, isOpen, tokens.length])
  useEffect(() => {
    if (active) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const run = (command: Command) => {
    if (command.refusal) return
    if (!command.keepsOpen) onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const isTab = event.key === 'Tab' && !event.shiftKey && tokens.length > 0 && !outcome
    const act =
      step !== 0
        ? () => setChosen(commands[(Math.max(at, step > 0 ? -1 : 0) + step + commands.length) % commands.length]?.id)
        : event.key === 'Backspace' && text === ''
          ? onBack
          : event.key === '?' && text === '' && tokens.length === 0
            ? onHelp
            : event.key === 'Enter' && outcome && (event.ctrlKey || event.metaKey)
              ? () => !outcome.isRunning && outcome.run?.()
              : (event.key === 'Enter' || isTab) && active
                ? () => run(active)
                : undefined
    if (!act) return
    event.preventDefault()
    act()
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
            aria-expanded={commands.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active ? `${id}-${active.id}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder={outcome?.label ?? hint ?? 'Search or jump to'}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onFocus={onReady}
            data-autofocus
          />
          {tokens.length === 0 && <KeyCap keys="Esc" />}
        </div>
        {outcome && <OutcomeView outcome={outcome} />}
        {onRetry && (
          <p className={styles.none} role="status">
            Search is not available.{' '}
            <button type="button" className={styles.retry} onClick={onRetry}>
              Retry
            </button>
          </p>
        )}
        {(none ?? commands.length === 0) && !outcome && !onRetry && (
          <p className={styles.none} role="status">
            {isSearching ? 'Searching…' : (none ?? `No results for “${text}”`)}
          </p>
        )}
        <div
          className={styles.list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          aria-busy={isSearching}
          ref={list}
        >
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
            <div key={group.title} role="group" aria-label={group.title}>
              <div className={styles.group} aria-hidden>
                {group.title}
                {group.hint && <span className={styles.hint}>{group.hint}</span>}
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
                  aria-disabled={command.refusal !== undefined}
                  // The field keeps the focus, and with it the keys.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => run(command)}
                  onMouseMove={() => setChosen(command.id)}
                >
                  {command.icon && <Icon of={command.icon} />}
                  <span className={styles.text}>
                    <Highlight text={command.title} part={text} />
                    {command.detail && <span className={styles.detail}>{command.detail}</span>}
                  </span>
                  {(command.refusal ?? command.place) && (
                    <span className={styles.place}>{command.refusal ?? command.place}</span>
                  )}
                  {command.keys && <KeyCap keys={command.keys} isHidden />}
                </div>
              ))}
            </div>
          ))}
        </div>
        <div className={styles.foot}>
          {outcome ? (
            <>
              {commands.length > 0 && (
                <span>
                  <KeyCap keys="↑" />
                  <KeyCap keys="↓" />
                  move
                </span>
              )}
              <span>
                <KeyCap keys="Mod" />
                <KeyCap keys="Enter" />
                run
              </span>
            </>
          ) : (
            <>
              <span>
                <KeyCap keys="↑" />
                <KeyCap keys="↓" />
                move
              </span>
              <span>
                <KeyCap keys={tokens.length > 0 ? 'Tab' : 'Enter'} />
                {tokens.length > 0 ? 'choose' : 'run'}
              </span>
            </>
          )}
          {onBack && (
            <span>
              <KeyCap keys="Esc" />
              one step back
            </span>
          )}
          {onHelp && tokens.length === 0 && (
            <span>
              <KeyCap keys="?" />
              all commands here
            </span>
          )}
          <span className={styles.last}>Shows only what you have access to</span>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
