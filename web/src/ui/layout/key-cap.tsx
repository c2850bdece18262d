import styles from './key-cap.module.css'

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** A key cap. `Mod` is Ctrl, or the command sign on a Mac. Hide it from screen readers inside a button. */
export function KeyCap({ keys, isHidden = false }: { keys: string; isHidden?: boolean }) {
  const text = keys.replace('Mod', () => (isApple() ? '⌘' : 'Ctrl'))
  return (
    <kbd className={styles.cap} aria-hidden={isHidden || undefined}>
      {text}
    </kbd>
  )
}
