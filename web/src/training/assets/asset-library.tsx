import { ACCEPT, type Asset, AssetType, type BulkUpload, MOST_FILES } from '@limber/contract/training/asset.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pager } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { UploadButton } from '#ui/upload-button.tsx'
import { useEditing } from '../editors/editor-context.ts'
import { FindField } from '../find-field.tsx'
import { trainingKey } from '../training.api.ts'
import { assetsQuery, uploadMany, uploadOne } from './asset.api.ts'
import { AssetRow } from './asset-row.tsx'
import styles from './assets.module.css'

interface Props {
  onClose: () => void
  onInsert: (asset: Asset) => void
  /** Only files of one type are offered. */
  only?: AssetType
}

/** The files of the course: uploaded, looked through, inserted, deleted. */
export function AssetLibrary({ onClose, onInsert, only }: Props) {
  const { course, lessonId } = useEditing()
  const cache = useQueryClient()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const [type, setType] = useState<AssetType | null>(only ?? null)
  const [page, setPage] = useState(1)
  const [report, setReport] = useState<BulkUpload>()
  const query = useQuery(assetsQuery({ course_key: course.course_key, search, type, page }))
  const target = { course_key: course.course_key, ...(lessonId === undefined ? {} : { lesson_id: lessonId }) }

  const upload: Parameters<typeof UploadButton>[0]['upload'] = async (files, options) => {
    setReport(undefined)
    const [first] = files
    if (files.length === 1 && first) await uploadOne(target, first, options)
    else setReport(await uploadMany(target, files, options))
    await cache.invalidateQueries({ queryKey: trainingKey })
  }
  const empty = (
    <EmptyState icon={IconFolder} title={typed || type ? 'No file matches' : 'No files yet'}>
      Pictures, films, sounds, PDF and text files of this course stand here.
    </EmptyState>
  )
  return (
    <Dialog isOpen onClose={onClose} title="Course files" context={course.title} size={760}>
      <div className={styles.tools}>
        <FindField label="Find a file" value={typed} onChange={setTyped} />
        {!only && (
          <NativeSelect
            aria-label="Type of file"
            value={type ?? ''}
            data={[{ value: '', label: 'All types' }, ...AssetType.options]}
            onChange={(event) => setType((event.currentTarget.value || null) as AssetType | null)}
          />
        )}
        <UploadButton upload={upload} accept={ACCEPT} isMultiple failure="Failed to upload file(s):" label="Upload" />
      </div>
      {report && <UploadReport report={report} onDismiss={() => setReport(undefined)} />}
      <QueryView query={query} isEmpty={({ assets }) => assets.length === 0} empty={empty}>
        {({ assets, pagination }) => (
          <>
            <ul className={styles.list} aria-label="Files">
              {assets.map((asset) => (
                <AssetRow key={asset.id} asset={asset} onInsert={() => onInsert(asset)} />
              ))}
            </ul>
            {pagination.totalPages > 1 && <Pager page={page} pages={pagination.totalPages} onPage={setPage} />}
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

/** Each file of a bulk upload for itself. */
function UploadReport({ report, onDismiss }: { report: BulkUpload; onDismiss: () => void }) {
  const failed = report.results.filter(({ success }) => !success)
  const kept = report.results.length - failed.length
  if (failed.length === 0)
    return (
      <Banner kind="green" onDismiss={onDismiss}>
        {kept} of at most {MOST_FILES} files uploaded.
      </Banner>
    )
  return (
    <Banner kind="amber" onDismiss={onDismiss}>
      {kept} uploaded, {failed.length} not:
      <ul>
        {failed.map(({ filename, error }) => (
          <li key={filename}>
            {filename}: {error}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** Opens the library. */
export function LibraryButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Choose file
    </Button>
  )
}
