import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#ui/layout/icon.tsx'

interface Props {
  label: string
  placeholder: string
  value: string
  onFind: (text: string) => void
}

/** Words to look for; the list follows a moment after the last key. Escape takes the words away, then leaves the field. */
export function SearchField({ label, placeholder, value, onFind }: Props) {
  const [text, setText] = useState(value)
  const find = useDebouncedCallback(onFind, 200)
  const input = useRef<HTMLInputElement>(null)
  // Cleared from elsewhere, or by the way back; never under the fingers of whoever types.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value)
  }, [value])
  return (
    <TextInput
      ref={input}
      aria-label={label}
      placeholder={placeholder}
      data-section-search
      leftSection={<Icon of={IconSearch} />}
      maxLength={100}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        find(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        if (text === '') return event.currentTarget.blur()
        // Not further: a layer around the field would close.
        event.preventDefault()
        setText('')
        find('')
      }}
    />
  )
}
