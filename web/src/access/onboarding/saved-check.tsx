import styles from '../sign-in/steps.module.css'

/** Confirms that codes shown once were saved. */
export function SavedCheck({ isSaved, onChange }: { isSaved: boolean; onChange: (isSaved: boolean) => void }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isSaved} onChange={(event) => onChange(event.currentTarget.checked)} />I saved
      these codes
    </label>
  )
}
