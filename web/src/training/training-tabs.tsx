import type { Course } from '@limber/contract/training/courses/course.ts'
import { TabBar } from '#ui/layout/tab-bar.tsx'
import type { TrainingTab } from './training-search.ts'

interface Props {
  tab: TrainingTab
  course: Course | undefined
  courses: number | undefined
  onOpen: (tab: TrainingTab) => void
}

/** The tabs Courses, Modules, Lessons and Analytics. The last three are disabled until a course is selected. */
export function TrainingTabs({ tab, course, courses, onOpen }: Props) {
  const ofCourse = (its: TrainingTab) => ({ tab: its, isDisabled: !course && its !== tab })
  return (
    <TabBar
      id="training"
      label="Training"
      tab={tab}
      onOpen={onOpen}
      entries={[
        { tab: 'courses', title: 'Courses', count: courses },
        { ...ofCourse('modules'), title: 'Modules', count: course?.moduleCount },
        { ...ofCourse('lessons'), title: 'Lessons', count: course?.lessonCount },
        { ...ofCourse('analytics'), title: 'Analytics' },
      ]}
    />
  )
}
