import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { certificationsKey } from './certification.api.ts'
import { CertificationList } from './certification-list.tsx'
import { CertificationSearch, type ChangeSearch } from './certification-search.ts'

// Most visits need only the list, so the other views load on demand.
const loadForms = () => import('./certification-form.tsx')
const CreateForm = lazy(async () => ({ default: (await loadForms()).CreateForm }))
const EditForm = lazy(async () => ({ default: (await loadForms()).EditForm }))
const CertificationView = lazy(async () => ({
  default: (await import('./certification-detail.tsx')).CertificationView,
}))
const CertificationTypes = lazy(async () => ({
  default: (await import('./certification-types.tsx')).CertificationTypes,
}))

function View({ search, change }: { search: CertificationSearch; change: ChangeSearch }) {
  const { view, certification, user, type } = search
  if (view === 'create') return <CreateForm user={user} type={type} change={change} />
  if (view === 'types') return <CertificationTypes change={change} />
  if (certification > 0 && view === 'edit') return <EditForm key={certification} id={certification} change={change} />
  if (certification > 0) return <CertificationView key={certification} id={certification} change={change} />
  return <CertificationList search={search} change={change} />
}

/** List, detail, create, edit and types. The URL selects the view. */
export default function Certifications() {
  useLiveRefresh('certifications', certificationsKey)
  const [search, change] = useSearchState(CertificationSearch)
  return (
    <Suspense fallback={<ListSkeleton />}>
      <View search={search} change={change} />
    </Suspense>
  )
}
