import { type Course, exportCourses } from '@limber/contract/training/courses/course.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { TabPanel } from '#ui/layout/tab-bar.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { CourseBar } from './courses/course-bar.tsx'
import { CourseGrid } from './courses/course-grid.tsx'
import { CoursePrompt } from './courses/course-prompt.tsx'
import { ModulesTab } from './courses/modules-tab.tsx'
import { LessonsTab } from './lessons/lessons-tab.tsx'
import { NoticeFrame } from './notices.tsx'
import { courseKey, coursesQuery, isOnCards, trainingKey } from './training.api.ts'
import { type ChangeSearch, type OpenTab, TrainingSearch, type TrainingTab } from './training-search.ts'
import { TrainingTabs } from './training-tabs.tsx'

const CourseDialog = lazy(() => import('./courses/course-dialog.tsx'))
const AnalyticsTab = lazy(() => import('./learners/analytics-tab.tsx'))
const CoursePreview = lazy(() => import('./preview/course-preview.tsx'))
const ThemeEditor = lazy(() => import('./theme/theme-editor.tsx'))

interface TabProps {
  search: TrainingSearch
  change: ChangeSearch
  openTab: OpenTab
  onEdit: (key: string) => void
}

function TabContent({ search, change, openTab, onEdit }: TabProps) {
  const query = useQuery(coursesQuery)
  const { tab, course } = search
  if (tab === 'courses') return <CourseGrid selected={course} q={search.q} {...{ change, openTab, onEdit }} />
  return (
    <QueryView query={query}>{(courses) => <CourseContent {...{ tab, courses, search, change, openTab }} />}</QueryView>
  )
}

interface CourseProps extends Omit<TabProps, 'onEdit'> {
  tab: Exclude<TrainingTab, 'courses'>
  courses: readonly Course[]
}

/** A tab of the selected course, or the prompt to select one. */
function CourseContent({ tab, courses, search, change, openTab }: CourseProps) {
  const key = search.course
  const course = courses.find(({ course_key }) => course_key === key)
  if (!course) return <CoursePrompt tab={tab} courses={courses} onChoose={(chosen) => change({ course: chosen })} />
  if (tab === 'modules') return <ModulesTab key={key} {...{ course, search, change, openTab }} />
  if (tab === 'lessons') return <LessonsTab key={key} {...{ course, search, change, openTab }} />
  return (
    <Suspense fallback={<ListSkeleton />}>
      <AnalyticsTab key={key} course={course} search={search} change={change} />
    </Suspense>
  )
}

/** Training Management: courses, modules, lessons, quizzes, themes and previews. */
export default function Training() {
  useLiveRefresh('training', trainingKey)
  const [search, change] = useSearchState(TrainingSearch)
  const [isCreating, setCreating] = useState(false)
  useIntent('new', () => setCreating(true))
  const cache = useQueryClient()
  const { data: courses } = useQuery(coursesQuery)
  const named = (key: string) => courses?.find(({ course_key }) => course_key === key)
  const selected = named(search.course)

  // Opening a tab always reloads its data.
  const openTab: OpenTab = (tab, more = {}) => {
    const { course } = { ...search, ...more }
    const read = tab === 'courses' ? { predicate: isOnCards } : { queryKey: courseKey(course) }
    void cache.invalidateQueries(read)
    change({ tab, q: '', edit: '', lesson: 0, quiz: 0, part: 0, question: '', state: '', page: 1, ...more })
  }
  const create = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => setCreating(true)}>
      Create Course
    </Button>
  )
  const themed = named(search.theme)
  const edited = search.tab === 'courses' ? named(search.edit) : undefined
  const openPreview = (course: Course) => change({ preview: course.course_key, lesson: 0 })
  return (
    <NoticeFrame>
      {(banners) => (
        <>
          <PageHead
            title="Training Management"
            actions={
              <>
                <ExportButton call={exportCourses} query={{ search: search.q }} />
                {create}
              </>
            }
          >
            Create and manage courses, modules, lessons, and quizzes
          </PageHead>
          {banners}
          {selected && (
            <CourseBar
              course={selected}
              onPreview={() => openPreview(selected)}
              onChange={() => change({ course: '', module: '', q: '', state: '', page: 1 })}
            />
          )}
          <TrainingTabs tab={search.tab} course={selected} courses={courses?.length} onOpen={openTab} />
          <TabPanel id="training" tab={search.tab}>
            <TabContent {...{ search, change, openTab }} onEdit={(edit) => change({ edit })} />
          </TabPanel>
          <Suspense fallback={null}>
            {(isCreating || edited) && (
              <CourseDialog
                course={edited}
                isCreating={isCreating}
                onClose={() => {
                  setCreating(false)
                  change({ edit: '' })
                }}
                // Continue with its modules.
                onCreated={(course) => openTab('modules', { course, module: '' })}
              />
            )}
            {search.preview && (
              <CoursePreview
                courseKey={search.preview}
                lesson={search.lesson}
                onLesson={(lesson) => change({ lesson }, { replace: true })}
                onClose={() => change({ preview: '', lesson: 0 })}
              />
            )}
            {themed && <ThemeEditor course={themed} onClose={() => change({ theme: '' })} />}
          </Suspense>
        </>
      )}
    </NoticeFrame>
  )
}
