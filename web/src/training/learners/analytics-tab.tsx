import type { Course } from '@limber/contract/training/courses/course.ts'
import type { CourseFigures } from '@limber/contract/training/learners/figures.ts'
import { Button } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { BarList } from '#ui/charts/bar-list.tsx'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { type OpenFigure, useFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { TabBar, TabPanel } from '#ui/layout/tab-bar.tsx'
import { figuresQuery } from '../training.api.ts'
import styles from '../training.module.css'
import type { ChangeSearch, TrainingSearch } from '../training-search.ts'
import { percent, seconds } from './figure-text.ts'
import { QuizFiguresList } from './quiz-figures.tsx'
import { StuckLearners } from './stuck-learners.tsx'

const TrainingFigure = lazy(() => import('./training-figure.tsx'))
const Learners = lazy(() => import('./learners.tsx'))

interface Props {
  course: Course
  search: TrainingSearch
  change: ChangeSearch
}

/** Analytics of the course and its learners. */
export default function AnalyticsTab({ course, search, change }: Props) {
  return (
    <>
      <TabBar
        id="analytics"
        label="Analytics"
        tab={search.view}
        entries={[
          { tab: 'figures', title: 'Overview' },
          { tab: 'learners', title: 'Learners', count: course.enrolledCount },
        ]}
        onOpen={(view) => change({ view, q: '', state: '', page: 1 })}
      />
      <TabPanel id="analytics" tab={search.view}>
        {search.view === 'figures' ? (
          <Figures course={course} onLearners={() => change({ view: 'learners' })} />
        ) : (
          <Suspense fallback={<ListSkeleton />}>
            <Learners course={course} search={search} change={change} />
          </Suspense>
        )}
      </TabPanel>
    </>
  )
}

function Figures({ course, onLearners }: { course: Course; onLearners: () => void }) {
  const figure = useFigure()
  const query = useQuery(figuresQuery(course.course_key))
  const empty = (
    <EmptyState
      icon={IconChartBar}
      title="Analytics"
      action={
        <Button variant="default" onClick={onLearners}>
          Show learners
        </Button>
      }
    >
      Analytics is still to be implemented for this course. Figures appear here after the first learner opens a lesson.
    </EmptyState>
  )
  return (
    <QueryView query={query} isEmpty={({ hasFigures }) => !hasFigures} empty={empty}>
      {(figures) => (
        <div className={styles.figuresGrid}>
          <Totals figures={figures} onOpen={figure.onOpen} />
          <Weeks figures={figures} course={course} />
          <LessonFunnel figures={figures} course={course} />
          <QuizFiguresList quizzes={figures.quizzes} />
          <StuckLearners learners={figures.stuck} />
          {figure.figure && (
            <Suspense fallback={null}>
              <TrainingFigure state={figure} course={course} />
            </Suspense>
          )}
        </div>
      )}
    </QueryView>
  )
}

function Totals({ figures, onOpen }: { figures: CourseFigures; onOpen: OpenFigure['onOpen'] }) {
  return (
    <StatStrip
      label="Course analytics"
      stats={[
        { id: 'enrolled', label: 'Enrolled', value: figures.enrolled, onOpen: () => onOpen('enrolled') },
        { id: 'started', label: 'Started', value: figures.started, onOpen: () => onOpen('started') },
        {
          id: 'completed',
          label: 'Completed',
          value: figures.completed,
          note: percent(figures.completionRate),
          onOpen: () => onOpen('completed'),
        },
        {
          id: 'days',
          label: 'Median completion time',
          value: figures.medianDays === null ? '--' : figures.medianDays.toFixed(1),
          unit: 'days',
          note: `${seconds(figures.medianSeconds)} in lessons`,
          onOpen: () => onOpen('completionTime'),
        },
        {
          id: 'attempts',
          label: 'Quiz attempts',
          value: figures.attempts,
          note: `${percent(figures.passRate)} passed`,
          onOpen: () => onOpen('attempts'),
        },
      ]}
    />
  )
}

function Weeks({ figures: { weeks }, course }: { figures: CourseFigures; course: Course }) {
  return (
    <ChartFrame
      title="Learners by week"
      kind="bars"
      file={`${course.course_key}-weeks`}
      table={{
        heads: ['Week', 'Started', 'Completed'],
        rows: weeks.map((one) => [dayText(one.week), one.started, one.completed]),
        keys: weeks.map(({ week }) => week),
      }}
    >
      <BarList
        rows={weeks.slice(-12).map((one) => ({
          label: dayText(one.week),
          value: one.started,
          text: `${one.started} started`,
          note: `${one.completed} completed`,
        }))}
      />
    </ChartFrame>
  )
}

function LessonFunnel({ figures: { lessons }, course }: { figures: CourseFigures; course: Course }) {
  return (
    <ChartFrame
      title="Lessons: opened, completed, dropped off"
      kind="bars"
      file={`${course.course_key}-lessons`}
      table={{
        heads: ['Lesson', 'Module', 'Opened', 'Completed', 'Dropped off', 'Median seconds'],
        rows: lessons.map((one) => [
          one.title,
          one.module_title,
          one.reached,
          one.completed,
          one.droppedOff,
          one.medianSeconds === null ? null : Math.round(one.medianSeconds),
        ]),
      }}
    >
      <BarList
        rows={lessons.map((one) => ({
          label: one.title,
          value: one.reached,
          text: `${one.completed} of ${one.reached}`,
          note: one.droppedOff > 0 ? `${one.droppedOff} dropped off` : seconds(one.medianSeconds),
          isOver: one.droppedOff > 0 && one.droppedOff * 4 > one.reached,
        }))}
      />
    </ChartFrame>
  )
}
