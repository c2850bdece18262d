import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  ACCEPT_ALL,
  type Asset,
  AssetType,
  acceptByType,
  type BulkUpload,
  exportAssets,
  UploadQuality,
} from '@limber/contract/training/assets/asset.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { withFailurePrefix } from '#platform/api/prefix-failure.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { UploadButton } from '#ui/form/upload-button.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { useEditing, useTarget } from '../editors/editor-context.ts'
import { FindField } from '../find-field.tsx'
import { capitalize } from '../labels.ts'
import { trainingKey } from '../training.api.ts'
import { assetsQuery, uploadMany, uploadOne } from './asset.api.ts'
import { AssetRow } from './asset-row.tsx'
import styles from './assets.module.css'

const MANY_FAILED = 'Failed to upload file(s)'

interface Props {
  onClose: () => void
  onInsert: (asset: Asset) => void
  /** Limits the library to one file type. */
  only?: AssetType
}

/** The files of the course: upload, search, insert and delete. */
export function AssetLibrary({ onClose, onInsert, only }: Props) {
  const { course } = useEditing()
  const target = useTarget()
  const cache = useQueryClient()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const [type, setType] = useState<AssetType | null>(only ?? null)
  const [page, setPage] = useState(1)
  const [report, setReport] = useState<BulkUpload['results']>()
  const [quality, setQuality] = useState<UploadQuality>('high')
  const query = useQuery(assetsQuery({ course_key: course.course_key, search, type, page }))
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, setPage)

  const upload: Parameters<typeof UploadButton>[0]['upload'] = async (files, options) => {
    setReport(undefined)
    const [first] = files
    if (files.length === 1 && first)
      await withFailurePrefix('Upload failed', uploadOne({ ...target, quality }, first, options))
    else setReport(await withFailurePrefix(MANY_FAILED, uploadMany({ ...target, quality }, files, options)))
    await cache.invalidateQueries({ queryKey: trainingKey })
  }
  const empty = (
    <EmptyState icon={IconFolder} title={typed || type ? 'No files match' : 'No files yet'}>
      Images, video, audio, PDF and text files of this course appear here. Upload the first one.
    </EmptyState>
  )
  return (
    <Dialog isOpen onClose={onClose} title="Course files" context={course.title} size={760}>
      <div className={styles.tools}>
        <FindField
          label="Find files"
          value={typed}
          onChange={(next) => {
            setTyped(next)
            setPage(1)
          }}
        />
        {!only && (
          <NativeSelect
            aria-label="File type"
            value={type ?? ''}
            data={[
              { value: '', label: 'All types' },
              ...AssetType.options.map((value) => ({ value, label: capitalize(value) })),
            ]}
            onChange={(event) => {
              setType((event.currentTarget.value || null) as AssetType | null)
              setPage(1)
            }}
          />
        )}
        {(!only || only === 'image') && (
          <NativeSelect
            aria-label="Image quality"
            value={quality}
            data={UploadQuality.options.map((value) => ({ value, label: qualities[value] }))}
            onChange={(event) => setQuality(event.currentTarget.value as UploadQuality)}
          />
        )}
        <ExportButton
          call={exportAssets}
          query={{ course_key: course.course_key, search, type }}
          total={query.data?.pagination.totalItems}
        />
        <UploadButton upload={upload} accept={only ? acceptByType[only] : ACCEPT_ALL} isMultiple label="Upload" />
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

const qualities: Record<UploadQuality, string> = {
  high: 'Images: high quality',
  medium: 'Images: medium quality',
  low: 'Images: low quality',
}

/** The result of each file of a bulk upload. */
function UploadReport({ report, onDismiss }: { report: BulkUpload['results']; onDismiss: () => void }) {
  const failed = report.filter(({ success }) => !success)
  const isAllFailed = failed.length === report.length
  const uploaded = `${pluralize(report.length - failed.length, 'file')} uploaded`
  return (
    <Banner kind={failed.length === 0 ? 'green' : isAllFailed ? 'red' : 'amber'} onDismiss={onDismiss}>
      {isAllFailed ? MANY_FAILED : uploaded}
      {!isAllFailed && failed.length > 0 && `, ${failed.length} failed`}:
      <ul className={styles.report} aria-label="Upload results">
        {[...failed, ...report.filter(({ success }) => success)].map(({ filename, error }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <li key={place}>
            {filename}: {error ?? 'uploaded'}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

export function LibraryButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Course files
    </Button>
  )
}
