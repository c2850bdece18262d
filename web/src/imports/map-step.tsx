import type { ImportDetail } from '@limber/contract/imports/import.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { columnsQuery, useDelete } from './import.api.ts'
import { fileText, stateLabels, titleOf } from './import-labels.ts'
import { linkToImport } from './import-link.ts'
import { SavedMapActions } from './saved-map.tsx'
import styles from './upload-step.module.css'
import { KindChoice } from './upload-step.tsx'
import { Wizard } from './wizard.tsx'

interface Props {
  one: ImportDetail
  map: string
  onMap: (map: string) => void
  onNext: () => void
}

function MapChoice({ one, map, onMap }: Omit<Props, 'onNext'>) {
  const query = useQuery(columnsQuery(one.id, map))
  return (
    <SectionCard title="Column map">
      <QueryView query={query} failure="Couldn't read the columns">
        {({ columns, map: used, maps }) => (
          <fieldset className={styles.maps} aria-label="Column map">
            {maps.map((choice) => (
              <div key={choice.key} className={styles.choice}>
                <label className={styles.map}>
                  <input type="radio" name="map" checked={used === choice.key} onChange={() => onMap(choice.key)} />
                  <span>
                    <b>{choice.label}</b>
                    <small>
                      {choice.matches > 0
                        ? `Matches this file: ${choice.matches} of ${pluralize(columns.length, 'column')}`
                        : 'Matches no column of this file'}
                      {choice.saved_at && (
                        <>
                          . Saved by {choice.saved_by ?? 'a former worker'}, <Moment at={choice.saved_at} form="day" />
                        </>
                      )}
                    </small>
                  </span>
                </label>
                {choice.saved_at && (
                  <SavedMapActions
                    resource={one.resource}
                    map={choice}
                    names={maps.map(({ label }) => label)}
                    onChanged={(key) => map === choice.key && onMap(key)}
                  />
                )}
              </div>
            ))}
            <label className={styles.map}>
              <input type="radio" name="map" checked={used === null} onChange={() => onMap('none')} />
              <span>
                <b>No map, guess</b>
                <small>By names and values</small>
              </span>
            </label>
          </fieldset>
        )}
      </QueryView>
    </SectionCard>
  )
}

/** The first step after the upload: the file, and the map that matches its columns. */
export default function MapStep({ one, map, onMap, onNext }: Props) {
  const navigate = useNavigate()
  const remove = useDelete()
  const cancel = () =>
    remove.mutateAsync(one.id).then(
      () => navigate(linkTo('/worker/import', { kind: one.resource })),
      (error: unknown) => toastFailure("Couldn't delete the upload", error),
    )
  return (
    <Wizard
      title={titleOf(one)}
      context="Nothing is written before the fourth step."
      step="upload"
      back={{ label: 'Delete upload', run: () => void cancel(), isBusy: remove.isPending }}
      next={{ label: 'Match columns', run: onNext }}
    >
      {one.same_file && (
        <Banner kind="amber" action={<Link {...linkToImport(one.same_file.id)}>Open it</Link>}>
          The same file was imported on <Moment at={one.same_file.created_at} /> (
          {stateLabels[one.same_file.state].toLowerCase()}). Rows that went in then stay unchanged.
        </Banner>
      )}
      <div className={styles.columns}>
        <KindChoice chosen={one.resource} kinds={[one.resource]} />
        <SectionCard title="File">
          <div className={styles.file}>
            <div className={styles.fileLine}>
              <Icon of={IconFileTypeCsv} />
              <b>{one.file.name}</b>
              <span>{fileText(one.file)}</span>
              <span>Uploaded</span>
            </div>
            <Progress isBare label="Upload" done={1} total={1} />
          </div>
        </SectionCard>
        <MapChoice one={one} map={map} onMap={onMap} />
      </div>
    </Wizard>
  )
}
