import type { Icon as Drawn } from '@tabler/icons-react'

/** An icon next to text: 16 px, hidden from screen readers because the text says it. */
export function Icon({ of: Drawing, size = 16, className }: { of: Drawn; size?: number; className?: string }) {
  return <Drawing size={size} stroke={size >= 20 ? 1.5 : 1.75} aria-hidden {...(className ? { className } : {})} />
}
