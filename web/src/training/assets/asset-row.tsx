import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { type Asset, kilobytes } from '@limber/contract/training/assets/asset.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconFile, IconFileText, IconHeadphones, IconMovie, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { useNotices } from '../notices.tsx'
import { usageQuery, useDeleteAsset } from './asset.api.ts'
import styles from './assets.module.css'

const icons = { video: IconMovie, audio: IconHeadphones, document: IconFileText, other: IconFile }

/** One file with its type, size and uses. */
export function AssetRow({ asset, onInsert }: { asset: Asset; onInsert: () => void }) {
  const cache = useQueryClient()
  const remove = useDeleteAsset()
  const { succeed, fail } = useNotices()
  const [problem, setProblem] = useState<string>()

  const ask = async () => {
    const places = asset.usedIn > 0 ? (await cache.fetchQuery(usageQuery(asset.id))).data : []
    const warning = (
      <>
        <p>
          {asset.usedIn > 0
            ? `It is used in ${pluralize(asset.usedIn, 'place')} and will be missing there:`
            : 'It is not used anywhere.'}
        </p>
        {places.length > 0 && (
          <ul>
            {places.slice(0, 10).map((place) => (
              <li key={place.lesson_id}>
                {place.course_title}, {place.lesson_title}
                {place.isLive && ' (in production)'}
              </li>
            ))}
          </ul>
        )}
        <p>This cannot be undone.</p>
      </>
    )
    const question = { title: `Delete ${asset.filename}?`, body: warning, action: 'Confirm', isDestructive: true }
    return confirm(question)
  }
  const askAndDelete = async () => {
    setProblem(undefined)
    try {
      if (!(await ask())) return
      await remove.mutateAsync({ asset_id: asset.id, even_if_used: asset.usedIn > 0 })
      succeed('Asset deleted successfully')
    } catch (error) {
      fail(error)
      setProblem(error instanceof Error ? error.message : 'Failed to delete asset')
    }
  }
  return (
    <li className={styles.row}>
      {asset.type === 'image' ? (
        <img className={styles.thumb} src={asset.url} alt="" loading="lazy" />
      ) : (
        <span className={styles.thumb}>
          <Icon of={icons[asset.type]} size={20} />
        </span>
      )}
      <span className={styles.fileText}>
        <span className={styles.name}>{asset.filename}</span>
        <span className={styles.meta}>
          {asset.type}, {kilobytes(asset.metadata.finalSize)} KB,{' '}
          {asset.usedIn > 0 ? `used in ${pluralize(asset.usedIn, 'place')}` : 'not used'}
        </span>
        <ProblemLine>{problem}</ProblemLine>
      </span>
      <Button variant="default" size="xs" onClick={onInsert} aria-label={`Insert ${asset.filename}`}>
        Insert
      </Button>
      <ActionIcon size={28} aria-label={`Delete ${asset.filename}`} onClick={() => void askAndDelete()}>
        <Icon of={IconTrash} />
      </ActionIcon>
    </li>
  )
}
