import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Candidate } from '@limber/contract/training/learners/enrollment.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { candidatesQuery, useEnroll } from './learner.api.ts'
import styles from './learners.module.css'

/** Finds users who are not in the course and enrolls them one by one. */
export default function EnrollDialog({ course, onClose }: { course: Course; onClose: () => void }) {
  const { course_key, title } = course
  const [search, setSearch] = useState('')
  const [last, setLast] = useState<Candidate>()
  const query = useQuery(candidatesQuery(course_key, search))
  const enroll = useEnroll()
  const take = (user: Candidate) =>
    enroll.mutate({ course_key, user_id: user.user_id }, { onSuccess: () => setLast(user) })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Enroll learners"
      context={title}
      size={640}
      foot={<Button onClick={onClose}>Done</Button>}
    >
      <SearchField
        label="Find a user"
        placeholder="ID, name or email; stretchers come first"
        value={search}
        onFind={setSearch}
      />
      {last && !enroll.isError && (
        <Banner kind="green" onDismiss={() => setLast(undefined)}>
          {last.name} is now enrolled.
        </Banner>
      )}
      {enroll.isError && (
        <Banner kind="red" onDismiss={() => enroll.reset()}>
          {messageOf(enroll.error)}
        </Banner>
      )}
      {search === '' ? (
        <p className={styles.hint}>Type a name, email or ID to find users who are not in this course.</p>
      ) : (
        <QueryView
          query={query}
          isEmpty={(users) => users.length === 0}
          empty={<p className={styles.hint}>No users outside this course match “{search}”.</p>}
        >
          {(users) => (
            <ul className={styles.candidates} aria-label="Users">
              {users.map((user) => (
                <li key={user.user_id}>
                  <span className={styles.twoLines}>
                    <span>{user.name}</span>
                    <span className={styles.meta}>
                      {user.email}
                      {user.isStretcher && ', stretcher'}
                    </span>
                  </span>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Enroll ${user.name}`}
                    loading={enroll.isPending && enroll.variables.user_id === user.user_id}
                    onClick={() => take(user)}
                  >
                    Enroll
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      )}
    </Dialog>
  )
}
