import type { MacroPreview } from '@limber/contract/support/saved-replies/macro.ts'
import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { fillParts, type ReplyFacts } from './fill-reply.ts'
import { stepIcons } from './macro-labels.ts'
import styles from './saved-replies.module.css'

function Steps({ steps }: { steps: MacroPreview['steps'] }) {
  return (
    <ul className={styles.steps}>
      {steps.map(({ type, text, detail, needsPasskey, problem }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
        <li key={place} data-blocked={problem !== null || undefined}>
          <Icon of={stepIcons[type]} />
          <span className={styles.what}>
            {problem === null ? text : <s>{text}</s>}
            {problem !== null && <span className={styles.problem}>{problem}</span>}
          </span>
          {problem === null && (
            <span className={styles.detail}>{[detail, needsPasskey && 'with passkey'].filter(Boolean).join(', ')}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface Props {
  id: string
  reply: SavedReply
  facts: ReplyFacts
  preview: UseQueryResult<MacroPreview>
}

/** The filled text of a saved reply, and what its actions would do to the ticket. */
export function ReplyPreview({ id, reply, facts, preview }: Props) {
  const parts = fillParts(reply.content, facts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.preview} id={id} aria-label="Preview" tabIndex={0}>
      <h3>Reply</h3>
      <p className={styles.text}>
        {parts.map(({ text, kind }, place) =>
          kind === 'plain' ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
            <mark key={place} data-missing={kind === 'missing' || undefined}>
              {text}
            </mark>
          ),
        )}
      </p>
      {reply.actions.length > 0 && (
        <>
          <h3>And then</h3>
          <QueryView
            query={preview}
            failure="Couldn't load the actions"
            loading={<TextSkeleton lines={reply.actions.length} />}
          >
            {({ steps }) => <Steps steps={steps} />}
          </QueryView>
        </>
      )}
    </section>
  )
}
