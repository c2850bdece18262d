import type { updateZone, ZoneArea, ZoneDetail } from '@limber/contract/businesses/zones/zone.ts'
import { companyZone } from '@limber/contract/kit/company.ts'
import { formatInteger, formatNumber } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { DeleteButton } from '#ui/dialog/delete-button.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { mergeMine, useVersionedSave } from '#ui/form/use-versioned-save.ts'
import { formatUpTo } from '#ui/format/row-count.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { DetailActions, DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { attempt } from '../business/attempt.ts'
import { printGeoJson, readGeoJson } from './geojson.ts'
import { useCreateZone, useDeleteZone, useUpdateZone, zoneQuery } from './zone.api.ts'
import { type ZoneFields, ZoneForm } from './zone-form.tsx'

const fieldsOf = ({ name, time_zone, geometry }: ZoneArea): ZoneFields => ({
  name,
  time_zone,
  area: printGeoJson(geometry),
})

/** The form for a new zone. */
export function NewZone({ onCreated, onCancel }: { onCreated: (id: number) => void; onCancel: () => void }) {
  const id = useId()
  const create = useCreateZone()
  return (
    <DetailPane>
      <ZoneForm
        id={id}
        initial={{ name: '', time_zone: companyZone(), area: '' }}
        neighbours={[]}
        save={async (fields) => {
          const zone = await create.mutateAsync(fields)
          toastUndo(`${zone.name} added.`, zone)
          onCreated(zone.id)
        }}
        head={(isSending) => (
          <DetailHead
            title="New zone"
            actions={
              <DetailActions>
                <Button variant="default" onClick={onCancel} disabled={isSending}>
                  Cancel
                </Button>
                <Button type="submit" form={id} loading={isSending}>
                  Create
                </Button>
              </DetailActions>
            }
          />
        )}
      />
    </DetailPane>
  )
}

const SQ_MI_PER_SQ_KM = 0.386_102

function ZoneRecords({ zone }: { zone: ZoneDetail }) {
  return (
    <Facts>
      <Facts.Row label="Size">{formatNumber(Math.round(zone.square_km * SQ_MI_PER_SQ_KM * 10) / 10)} sq mi</Facts.Row>
      <Facts.Row label="Businesses">{formatInteger(zone.businesses)}</Facts.Row>
      <Facts.Row label="Stretchers">
        <RecordLink to="/worker/managing/stretchers" search={{ zone: String(zone.id) }} needs="businesses.manage">
          {formatInteger(zone.stretchers)}
        </RecordLink>
      </Facts.Row>
      <Facts.Row label="Customers">{formatUpTo(zone.customers)}</Facts.Row>
      <Facts.Row label="Bookings">{formatUpTo(zone.bookings)}</Facts.Row>
    </Facts>
  )
}

interface EditorProps {
  base: ZoneArea
  latest: ZoneDetail
  onRestart: (zone: ZoneArea) => void
  onGone: () => void
}

const areaText = (text: string) => {
  const corners = readGeoJson(text).polygon?.coordinates.reduce((sum, ring) => sum + ring.length - 1, 0)
  return corners === undefined ? 'not valid' : `${corners} corners`
}

function Editor({ base, latest, onRestart, onGone }: EditorProps) {
  const id = useId()
  const [mine, setMine] = useState(fieldsOf(base))
  const update = useUpdateZone()
  const remove = useDeleteZone()
  const versioned = useVersionedSave<typeof updateZone, ZoneFields, ZoneArea>(base, ({ area, ...fields }) => {
    const { polygon } = readGeoJson(area)
    return update.mutateAsync({ ...fields, id: base.id, geometry: polygon ?? base.geometry })
  })
  const done = (saved: ZoneArea) => {
    toastUndo('Saved.', saved)
    onRestart(saved)
  }
  const ask = async () => {
    const body = 'Only a zone without records can be deleted. This cannot be undone.'
    if (!(await confirm({ title: `Delete ${base.name}?`, body, action: 'Delete', isDestructive: true }))) return
    await attempt(remove.mutateAsync({ id: base.id, version: latest.version }), () => {
      toast(`${base.name} deleted.`)
      onGone()
    })
  }
  const { theirs } = versioned
  const result = theirs && mergeMine(fieldsOf(base), fieldsOf(theirs), mine)
  return (
    <DetailPane>
      <ZoneForm
        id={id}
        initial={fieldsOf(base)}
        neighbours={latest.neighbours}
        save={async ({ name, time_zone, geometry }) => {
          const typed = { name, time_zone, area: printGeoJson(geometry) }
          setMine(typed)
          done(await versioned.save(typed))
        }}
        head={(isSending) => (
          <DetailHead
            title={latest.name}
            actions={
              <DetailActions>
                <HistoryButton record={{ kind: 'zone', id: base.id }} />
                <DeleteButton isPending={remove.isPending} onClick={() => void ask()} />
                <Button type="submit" form={id} loading={isSending}>
                  Save
                </Button>
              </DetailActions>
            }
          />
        )}
      >
        <ZoneRecords zone={latest} />
      </ZoneForm>
      {theirs && result && (
        <ConflictDialog
          title="Someone else changed this zone"
          rows={[
            { label: 'Name', base: base.name, theirs: theirs.name, mine: result.name },
            { label: 'Time zone', base: base.time_zone, theirs: theirs.time_zone, mine: result.time_zone },
            {
              label: 'Area',
              base: areaText(fieldsOf(base).area),
              theirs: areaText(fieldsOf(theirs).area),
              mine: areaText(result.area),
            },
          ]}
          onMine={() => void attempt(versioned.overwrite(result), done)}
          onTheirs={() => onRestart(theirs)}
          onClose={versioned.dismiss}
        />
      )}
    </DetailPane>
  )
}

function Loaded({ zone, onGone }: { zone: ZoneDetail; onGone: () => void }) {
  // The form stays on the version it started with.
  const [base, setBase] = useState<ZoneArea>(zone)
  return <Editor key={base.version} base={base} latest={zone} onRestart={setBase} onGone={onGone} />
}

/** One zone: its name, time zone, area and records. */
export function ZoneEditor({ id, onGone }: { id: number; onGone: () => void }) {
  const query = useQuery(zoneQuery(id))
  return (
    <QueryView
      query={query}
      failure="Couldn't load this zone"
      loading={
        <DetailPane>
          <BlockSkeleton height={420} />
        </DetailPane>
      }
    >
      {(zone) => <Loaded zone={zone} onGone={onGone} />}
    </QueryView>
  )
}
