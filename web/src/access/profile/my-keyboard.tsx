import { Switch } from '@mantine/core'
import { useState } from 'react'
import { hasLetterKeys, setLetterKeys } from '#ui/keyboard/is-page-key.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'

/** Turns shortcuts of one key off for people who speak to their computer or hit keys by accident (WCAG 2.1.4). */
export function MyKeyboard() {
  const [isOn, setOn] = useState(hasLetterKeys)
  return (
    <SectionCard title="Keyboard">
      <Switch
        label="Single-letter keys"
        description="Keys such as r, e and ? act without Ctrl or Cmd. Saved in this browser. Other shortcuts always work."
        checked={isOn}
        onChange={(event) => {
          setLetterKeys(event.currentTarget.checked)
          setOn(event.currentTarget.checked)
        }}
      />
    </SectionCard>
  )
}
