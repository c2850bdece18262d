import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'

interface Props {
  label: string
  placeholder: string
  value: string
  onFind: (text: string) => void
}

/** Words to look for; the list follows a moment after the last key. */
export function SearchField({ label, placeholder, value, onFind }: Props) {
  const [text, setText] = useState(value)
  const find = useDebouncedCallback(onFind, 200)
  return (
    <TextInput
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
    />
  )
}
