import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { toastFailure } from '../feedback/toast-store.ts'
import { Icon } from './icon.tsx'

/** Copies a text and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toastFailure("Couldn't copy this", undefined, { detail: 'Your browser blocked access to the clipboard.' }),
    )
  const tooltip = isCopied ? 'Copied' : label
  return (
    <Tooltip label={tooltip}>
      <ActionIcon size={24} aria-label={tooltip} onClick={() => void copy()}>
        <Icon of={isCopied ? IconCheck : IconCopy} size={14} />
      </ActionIcon>
    </Tooltip>
  )
}
