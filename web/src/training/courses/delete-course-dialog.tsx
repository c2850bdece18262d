import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { useNotices } from '../notices.tsx'
import { useDeleteCourse, useUpdateCourse } from '../training.api.ts'

interface Props {
  course: Course
  onClose: () => void
  onDeleted: () => void
}

/** Before deleting a live course with learners, requires its title and offers to archive it instead. */
export default function DeleteCourseDialog({ course, onClose, onDeleted }: Props) {
  const { course_key, title, version, enrolledCount, learningCount } = course
  const [typed, setTyped] = useState('')
  const { succeed, fail } = useNotices()
  const archive = useUpdateCourse()
  const remove = useDeleteCourse()
  const isSending = archive.isPending || remove.isPending
  const close = () => {
    if (!isSending) onClose()
  }
  const attempt = async <Reply,>(work: Promise<Reply>, onDone: (reply: Reply) => void) => {
    try {
      onDone(await work)
    } catch (error) {
      fail(error)
    } finally {
      onClose()
    }
  }
  const onArchive = () =>
    attempt(archive.mutateAsync({ course_key, version, is_active: false }), (reply) =>
      succeed(`“${title}” was archived. Learners can no longer see it.`, reply),
    )
  const onDelete = () =>
    attempt(remove.mutateAsync({ course_key, version, confirm_title: typed }), () => {
      succeed('Course deleted successfully')
      onDeleted()
    })
  const learning = learningCount > 0 ? `, ${learningCount} of them in progress` : ''
  const foot = (
    <>
      <Button variant="default" disabled={isSending} onClick={close}>
        Cancel
      </Button>
      <Button
        color="red"
        variant="outline"
        disabled={typed.trim() !== title || archive.isPending}
        loading={remove.isPending}
        onClick={() => void onDelete()}
      >
        Delete course
      </Button>
      <Button data-autofocus disabled={remove.isPending} loading={archive.isPending} onClick={() => void onArchive()}>
        Archive instead
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={close} title={`Delete the course “${title}”?`} role="alertdialog" size={520} foot={foot}>
      <Banner kind="red">
        This course is in production and has {pluralize(enrolledCount, 'learner')}
        {learning}. Deleting it also deletes its {pluralize(course.moduleCount, 'module')},{' '}
        {pluralize(course.lessonCount, 'lesson')}, files, and all progress and quiz results. This cannot be undone.
      </Banner>
      <p>
        Archive it instead: this turns off production mode, and learners can no longer see the course. Progress and
        results are kept, and you can turn it on again.
        {course.is_required && ' Stretchers in training who have not completed it stay in training.'}
      </p>
      <TextInput
        label="Course title"
        description={`To delete it, type “${title}”`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="off"
        disabled={isSending}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  )
}
