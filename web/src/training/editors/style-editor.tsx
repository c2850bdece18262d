import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'

const CssEditor = lazy(() => import('./css-editor.tsx'))

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
}

/** Custom CSS, collapsed until it is needed. */
export function StyleEditor({ label, value, onChange }: Props) {
  const [isOpen, setOpen] = useState(value !== '')
  if (!isOpen)
    return (
      <div>
        <Button variant="subtle" color="gray" size="xs" onClick={() => setOpen(true)}>
          {`Add ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        </Button>
      </div>
    )
  return (
    <Suspense fallback={<BlockSkeleton height={140} />}>
      <CssEditor label={label} value={value} onChange={onChange} />
    </Suspense>
  )
}
