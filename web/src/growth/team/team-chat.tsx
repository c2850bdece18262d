import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { recall, remember } from '#platform/remember.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './team.module.css'

interface Message {
  id: number
  userId: number
  text: string
}

/** Whoever writes in this chat is number 1: it never leaves the device. */
const OWN = 1
const STORE = 'team-chat'
const KEPT = 100

const seeded: readonly Message[] = [
  { id: 1, userId: 2, text: 'Welcome to the team chat. Jot down what you want to raise at the next stand-up.' },
  { id: 2, userId: 1, text: 'Will do: the pilot in Norco needs a second contact.' },
]

function isMessage(one: unknown): one is Message {
  return typeof one === 'object' && one !== null && 'id' in one && 'userId' in one && 'text' in one
}

function recallMessages(): readonly Message[] {
  try {
    const kept: unknown = JSON.parse(recall(STORE) ?? '')
    return Array.isArray(kept) && kept.length > 0 && kept.every(isMessage) ? kept : seeded
  } catch {
    return seeded
  }
}

/** Notes to oneself in the form of a chat. Nothing is sent; it says so. */
export function TeamChat() {
  const [messages, setMessages] = useState(recallMessages)
  const [text, setText] = useState('')
  const write = () => {
    if (text.trim() === '') return
    const next = [...messages, { id: (messages.at(-1)?.id ?? 0) + 1, userId: OWN, text: text.trim() }].slice(-KEPT)
    setMessages(next)
    remember(STORE, JSON.stringify(next))
    setText('')
  }
  return (
    <SectionCard title="Team Chat" beside={<StatusBadge hasDot={false}>Only on this device</StatusBadge>} isFlush>
      <ul className={styles.chat} aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id} data-own={message.userId === OWN || undefined}>
            {message.text}
          </li>
        ))}
      </ul>
      <form
        className={styles.write}
        onSubmit={(event) => {
          event.preventDefault()
          write()
        }}
      >
        <TextInput
          aria-label="Message"
          placeholder="Type a message..."
          autoComplete="off"
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Send
        </Button>
      </form>
    </SectionCard>
  )
}
