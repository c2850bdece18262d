import styles from '../sign-in/steps.module.css'

/** The gate behind codes that are shown once. */
export function SavedCheck({ isSaved, onChange }: { isSaved: boolean; onChange: (isSaved: boolean) => void }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isSaved} onChange={(event) => onChange(event.currentTarget.checked)} />I saved
      these codes
    </label>
  )
}
