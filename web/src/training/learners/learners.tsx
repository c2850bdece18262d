import type { Course } from '@limber/contract/training/courses/course.ts'
import { type Enrollment, EnrollmentState, exportEnrollments } from '@limber/contract/training/learners/enrollment.ts'
import { Button, CloseButton, NativeSelect } from '@mantine/core'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { PersonRail } from '#support/public.tsx'
import { Progress } from '#ui/charts/progress.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { type Meaning, StatusDot } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FilterRow } from '#ui/table/filter-row.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import type { ChangeSearch, TrainingSearch } from '../training-search.ts'
import { learnersQuery } from './learner.api.ts'
import { LearnerActions } from './learner-actions.tsx'
import styles from './learners.module.css'
import { StuckQuiz } from './stuck-quiz.tsx'

const EnrolDialog = lazy(() => import('./enroll-dialog.tsx'))

const states: Record<EnrollmentState, { label: string; meaning: Meaning }> = {
  not_started: { label: 'Not started', meaning: 'plain' },
  learning: { label: 'In progress', meaning: 'blue' },
  stuck: { label: 'Stuck', meaning: 'amber' },
  completed: { label: 'Completed', meaning: 'green' },
}

function StateCell({ learner }: { learner: Enrollment }) {
  const { label, meaning } = states[learner.state]
  return (
    <span className={styles.twoLines}>
      <StatusDot meaning={meaning}>{label}</StatusDot>
      {learner.stuck.map((quiz) => (
        <StuckQuiz key={`${quiz.lesson_id}-${quiz.component}`} learner={learner} quiz={quiz} />
      ))}
    </span>
  )
}

function ProgressCell({ learner: { name, lessons_done, lessons } }: { learner: Enrollment }) {
  return (
    <span className={styles.progress}>
      <span className={styles.track}>
        <Progress label={`Progress of ${name}`} done={lessons_done} total={lessons} isBare />
      </span>
      <span className={styles.meta}>
        {lessons_done} of {lessons}
      </span>
    </span>
  )
}

const columnsOf = (course: Course): Column<Enrollment>[] => [
  {
    key: 'name',
    title: 'Learner',
    isTitle: true,
    cell: ({ name, email }) => (
      <span className={styles.twoLines}>
        {name}
        <span className={styles.meta}>{email}</span>
      </span>
    ),
  },
  { key: 'state', title: 'Status', cell: (learner) => <StateCell learner={learner} /> },
  { key: 'progress', title: 'Required lessons', cell: (learner) => <ProgressCell learner={learner} /> },
  { key: 'enrolled', title: 'Enrolled', cell: ({ enrolled_at }) => <Moment at={enrolled_at} form="day" /> },
  {
    key: 'seen',
    title: 'Last seen',
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} form="relative" absent="Never" />,
  },
  {
    key: 'actions',
    title: 'Actions',
    hidesHead: true,
    isRight: true,
    cell: (learner) => <LearnerActions course={course} learner={learner} />,
  },
]

interface Props {
  course: Course
  search: TrainingSearch
  change: ChangeSearch
}

/** The learners of the course with their progress, and those who need help. */
export default function Learners({ course, search: { q, state, learner }, change }: Props) {
  const table = useTableState('learners', { limit: 25 })
  const { page, limit } = table
  const [isEnrolling, setEnrolling] = useState(false)
  const query = useQuery(learnersQuery(course.course_key, { search: q, state: state || null, page, limit }))
  const opened = query.data?.rows.find(({ user_id }) => user_id === learner)
  const filter = (part: Partial<TrainingSearch>) => change({ ...part, page: 1 }, { replace: true })
  const isFiltered = q !== '' || state !== ''
  const enroll = (
    <Button
      leftSection={<Icon of={IconUserPlus} />}
      disabled={!course.is_active}
      title={course.is_active ? undefined : 'Turn on production mode first'}
      onClick={() => setEnrolling(true)}
    >
      Enroll learners
    </Button>
  )
  const actions = (
    <>
      <ExportButton
        call={exportEnrollments}
        query={{ course_key: course.course_key, search: q, state }}
        total={query.data?.totalItems}
      />
      {enroll}
    </>
  )
  const emptyText = course.is_active
    ? 'Stretchers in training are enrolled in required courses automatically. Enroll anyone else here.'
    : 'You can enroll learners after the course is in production.'
  const list = (
    <SectionCard title="Learners" count={query.data?.totalItems} actions={actions} isFlush hasLine>
      <FilterRow>
        <SearchField
          label="Find learners"
          placeholder="Name or email"
          value={q}
          onFind={(text) => filter({ q: text })}
        />
        <NativeSelect
          aria-label="Status"
          value={state}
          data={[
            { value: '', label: 'Any status' },
            ...EnrollmentState.options.map((value) => ({ value, label: states[value].label })),
          ]}
          onChange={(event) => filter({ state: event.currentTarget.value as TrainingSearch['state'] })}
        />
      </FilterRow>
      <DataTable
        label="Learners"
        query={query}
        columns={columnsOf(course).filter(({ key }) => !opened || (key !== 'enrolled' && key !== 'seen'))}
        keyOf={({ user_id }) => user_id}
        state={table}
        onOpen={({ user_id }) => change({ learner: user_id === learner ? 0 : user_id })}
        openKey={opened?.user_id ?? null}
        density="two-line"
        isStacking
        empty={
          <EmptyState icon={IconUsers} title={isFiltered ? 'No learners match' : 'No learners yet'}>
            {isFiltered ? 'Try another search or status.' : emptyText}
          </EmptyState>
        }
      />
      {isEnrolling && (
        <Suspense fallback={null}>
          <EnrolDialog course={course} onClose={() => setEnrolling(false)} />
        </Suspense>
      )}
    </SectionCard>
  )
  if (!opened) return list
  return (
    <div className={styles.columns}>
      {list}
      <SectionCard
        title="Learner"
        actions={<CloseButton aria-label="Close the learner" onClick={() => change({ learner: 0 })} />}
      >
        <Suspense fallback={<ListSkeleton rows={6} />}>
          <PersonRail key={opened.user_id} customerId={opened.user_id} name={opened.name} />
        </Suspense>
      </SectionCard>
    </div>
  )
}
