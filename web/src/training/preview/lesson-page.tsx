import type { Asset } from '@limber/contract/training/assets/asset.ts'
import type { Lesson } from '@limber/contract/training/lessons/lesson.ts'
import { contentOf } from '@limber/contract/training/lessons/lesson.ts'
import { useQuery } from '@tanstack/react-query'
import { lessonFilesQuery } from '../assets/asset.api.ts'
import { NO_DESCRIPTION, UNTITLED_LESSON } from '../labels.ts'
import { ContentView } from './content-view.tsx'
import { download } from './download.ts'
import { PageTitle } from './intro-pages.tsx'
import { findPlace, type ModuleLessons, type Place } from './navigation.ts'

interface Props {
  lesson: Lesson
  moduleLessons: ModuleLessons
  modules: readonly ModuleLessons[]
  place: { module: number; lesson: number }
  onNext: () => void
  onBack: () => void
  onOpen: (place: Place) => void
}

/** One lesson with its resources and navigation. */
export function LessonPage({ lesson, moduleLessons, modules, place, onNext, onBack, onOpen }: Props) {
  const count = moduleLessons.lessons.length
  const isLast = place.lesson + 1 === count
  return (
    <main className="page">
      <p className="trail">
        {`Lesson ${place.lesson + 1} of ${count}`} · {moduleLessons.module.title}
      </p>
      <div className="track" aria-hidden>
        <span style={{ width: `${((place.lesson + 1) / count) * 100}%` }} />
      </div>
      <PageTitle>{lesson.title || UNTITLED_LESSON}</PageTitle>
      <p>{lesson.description ?? NO_DESCRIPTION}</p>
      {!lesson.is_active && <p className="note">Inactive: hidden from learners.</p>}
      <Resources lesson={lesson} />
      <div className="lesson-content">
        <ContentView lesson={lesson} />
      </div>
      <References ids={lesson.references} modules={modules} onOpen={onOpen} />
      <div className="row">
        <button type="button" className="portal-button quiet" onClick={onBack}>
          ← Previous
        </button>
        <button type="button" className="portal-button" onClick={onNext}>
          {isLast ? 'Complete Module →' : 'Next Lesson →'}
        </button>
      </div>
    </main>
  )
}

/** A document that must not be downloaded is not a resource, and neither are subtitles or thumbnails. */
function mayTake(lesson: Lesson, asset: Asset): boolean {
  const typed = contentOf(lesson)
  if (typed.content_type === 'video') {
    const { thumbnail, subtitles } = typed.content_data
    return asset.url !== thumbnail && !subtitles.some(({ url }) => url === asset.url)
  }
  return typed.content_type !== 'document' || typed.content_data.allowDownload || typed.content_data.url !== asset.url
}

function Resources({ lesson }: { lesson: Lesson }) {
  // A failed read shows no resources.
  const { data = [] } = useQuery(lessonFilesQuery(lesson.id))
  const assets = data.filter((asset) => mayTake(lesson, asset))
  if (assets.length === 0) return null
  return (
    <section aria-label="Lesson resources">
      <h2>Resources</h2>
      <ul className="cards">
        {assets.map((asset) => (
          <li key={asset.id} className="portal-card">
            <span>{asset.filename}</span>
            <button
              type="button"
              className="portal-button quiet"
              aria-label={`Download ${asset.filename}`}
              onClick={() => download(asset.url)}
            >
              Download
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function References({ ids, modules, onOpen }: { ids: readonly number[] } & Pick<Props, 'modules' | 'onOpen'>) {
  const found = ids.flatMap((id) => {
    const place = findPlace(modules, id)
    const lesson = place?.page === 'lesson' ? modules[place.module]?.lessons[place.lesson] : undefined
    return place && lesson ? [{ place, lesson }] : []
  })
  if (found.length === 0) return null
  return (
    <section aria-label="See also">
      <h2>See also</h2>
      <div className="row start">
        {found.map(({ place, lesson }) => (
          <button key={lesson.id} type="button" className="portal-button quiet" onClick={() => onOpen(place)}>
            {lesson.title || UNTITLED_LESSON}
          </button>
        ))}
      </div>
    </section>
  )
}
