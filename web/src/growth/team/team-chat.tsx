import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readPreference, savePreference } from '#platform/preferences.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './team.module.css'

interface Message {
  id: number
  userId: number
  text: string
}

/** The author of every note in this chat; the notes stay on the device. */
const OWN_USER_ID = 1
const STORAGE_KEY = 'team-chat'
const MAX_MESSAGES = 100

const seeded: readonly Message[] = [
  { id: 1, userId: 2, text: 'Welcome to the team chat. Jot down what you want to raise at the next stand-up.' },
  { id: 2, userId: 1, text: 'Will do. The pilot in Norco needs a second contact.' },
]

function isMessage(one: unknown): one is Message {
  return typeof one === 'object' && one !== null && 'id' in one && 'userId' in one && 'text' in one
}

function loadMessages(): readonly Message[] {
  try {
    const kept: unknown = JSON.parse(readPreference(STORAGE_KEY) ?? '')
    return Array.isArray(kept) && kept.length > 0 && kept.every(isMessage) ? kept : seeded
  } catch {
    return seeded
  }
}

/** Personal notes in the form of a chat. Nothing is sent, and the panel says so. */
export function TeamChat() {
  const [messages, setMessages] = useState(loadMessages)
  const [text, setText] = useState('')
  const write = () => {
    if (text.trim() === '') return
    const next = [...messages, { id: (messages.at(-1)?.id ?? 0) + 1, userId: OWN_USER_ID, text: text.trim() }].slice(
      -MAX_MESSAGES,
    )
    setMessages(next)
    savePreference(STORAGE_KEY, JSON.stringify(next))
    setText('')
  }
  return (
    <SectionCard title="Team Chat" beside={<StatusBadge hasDot={false}>Only on this device</StatusBadge>} isFlush>
      <ul className={styles.chat} aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id} data-own={message.userId === OWN_USER_ID || undefined}>
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
