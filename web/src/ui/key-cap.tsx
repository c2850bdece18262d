import styles from './key-cap.module.css'

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** A key as it is written on the keyboard at hand: `Mod` is Ctrl, or the command sign on a Mac. */
export function KeyCap({ keys }: { keys: string }) {
  const text = keys.replace('Mod', isApple() ? '⌘' : 'Ctrl')
  return <kbd className={styles.cap}>{text}</kbd>
}
