import styles from './steps.module.css'

/** The command that shows emails when there is no mail server. */
export const ReadMails = () => <code className={styles.command}>npm run limber -- mail</code>
