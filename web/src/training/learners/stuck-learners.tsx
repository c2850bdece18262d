import type { StuckLearner } from '@limber/contract/training/learners/figures.ts'
import { CustomerLink } from '#support/public.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { AnotherAttempt } from './another-attempt.tsx'
import styles from './figures.module.css'

/** Stuck learners, with a button to grant another attempt. */
export function StuckLearners({ learners }: { learners: readonly StuckLearner[] }) {
  if (learners.length === 0) return null
  return (
    <SectionCard title="Stuck learners" count={learners.length} isFlush hasLine>
      <ul className={styles.stuck}>
        {learners.map((learner) => (
          <li key={`${learner.user_id}-${learner.lesson_id}-${learner.component}`}>
            <span className={styles.name}>
              <CustomerLink id={learner.user_id}>{learner.name}</CustomerLink>
            </span>
            <span className={styles.reason}>
              {learner.lesson_title}:{' '}
              {learner.reason === 'idle'
                ? 'inactive for two weeks'
                : `${learner.attempts === 1 ? 'the only attempt' : `all ${learner.attempts} attempts`} used, best score ${learner.best_score ?? 0}%`}
            </span>
            <Moment at={learner.since} />
            {learner.reason === 'attempts_used' && <AnotherAttempt learner={learner} quiz={learner} size="xs" />}
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
