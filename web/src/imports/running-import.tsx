import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLiveRefresh } from '#platform/live/live.ts'
import { importListQuery, importsKey, isRunning } from './import.api.ts'
import { percentOf, stateLabels, titleOf } from './import-labels.ts'
import { linkToImport } from './import-link.ts'
import styles from './running-import.module.css'

/** The import that runs, in the top bar of every screen. It appears with the first live message about one. */
export default function RunningImport() {
  useLiveRefresh('imports', [...importsKey, 'list'])
  const { data } = useQuery({
    ...importListQuery({ limit: '10' }),
    refetchInterval: ({ state }) => (state.data?.imports.some(isRunning) ? 5_000 : false),
  })
  const one = data?.imports.find(isRunning)
  if (!one) return null
  const percent = percentOf(one)
  const label = `${titleOf(one)}: ${stateLabels[one.state].toLowerCase()}, ${percent}%`
  return (
    <Link {...linkToImport(one.id)} className={styles.running ?? ''} preload={false} title={label} aria-label={label}>
      <span className={styles.track} aria-hidden>
        <span className={styles.bar} style={{ width: `${percent}%` }} />
      </span>
      <span className={styles.percent}>{percent}%</span>
    </Link>
  )
}
