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

/** A debounced search field. Escape clears it, then leaves it. */
export function SearchField({ label, placeholder, value, onFind }: Props) {
  const [text, setText] = useState(value)
  const find = useDebouncedCallback(onFind, 200)
  const input = useRef<HTMLInputElement>(null)
  // Follows outside changes, such as Back, but never while the field has focus.
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
        // Prevents a surrounding layer from closing.
        event.preventDefault()
        setText('')
        find('')
      }}
    />
  )
}
