import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { BlockSkeleton, ListSkeleton, TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './dashboard.module.css'

const labels = ['Total events', 'Unique users', 'Average response time', 'Error rate']
const stats: Stat[] = labels.map((label) => ({ id: label, label, value: <span className={styles.bone} /> }))

/** The layout of the dashboard while the figures load. */
export function DashboardSkeleton() {
  return (
    <>
      <StatStrip label="Figures" stats={stats} />
      <div className={styles.columns}>
        <SectionCard title="Events over time">
          <BlockSkeleton height={264} />
        </SectionCard>
        <SectionCard title="Actions by type">
          <TextSkeleton lines={8} />
        </SectionCard>
        <SectionCard title="Recent events">
          <ListSkeleton rows={8} hasPicture={false} />
        </SectionCard>
        <SectionCard title="Response time by path">
          <TextSkeleton lines={11} />
        </SectionCard>
      </div>
    </>
  )
}
