import styles from './avatar.module.css'
import { cx } from './class-names.ts'

const tones = ['teal', 'amber', 'blue', 'green', 'plain'] as const
type Tone = (typeof tones)[number]

const initialsOf = (name: string) => {
  const parts = name.trim().split(/\s+/).filter(Boolean)
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]]
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase() ?? '?').join('')
}

const toneOf = (name: string): Tone => {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return tones[sum % tones.length] ?? 'plain'
}

interface Props {
  name: string
  /** Derived from the name by default, so that a person keeps their color. */
  tone?: Tone
  size?: 20 | 24 | 32
  /** Shows a green dot. */
  isOnline?: boolean
}

/** A person's initials. The name is always shown beside it, so it is hidden from screen readers. */
export function Avatar({ name, tone = toneOf(name), size = 24, isOnline: isHere = false }: Props) {
  return (
    <span
      aria-hidden
      data-letters={initialsOf(name)}
      className={cx(styles.avatar, styles[tone], styles[`s${size}`], isHere && styles.here)}
    />
  )
}
