import type { ZoneDetail, ZonePolygon } from '@limber/contract/businesses/zones/zone.ts'
import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { z } from 'zod'
import { Banner } from '#ui/feedback/banner.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { DetailColumns } from '#ui/layout/detail-pane.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { readGeoJson } from './geojson.ts'
import { ZoneMap } from './zone-map.tsx'
import styles from './zones.module.css'

const MAX_BYTES = 1_000_000

const timeZones = Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, label: name }))

export interface ZoneFields {
  name: string
  time_zone: string
  area: string
}

const Fields = z.object({
  name: z.string().default(''),
  time_zone: z.string({ error: 'is required' }),
  area: z
    .string({ error: 'is required' })
    .refine((text) => !readGeoJson(text).problem, { error: ({ input }) => readGeoJson(String(input)).problem }),
})

interface Props {
  id: string
  initial: ZoneFields
  neighbours: ZoneDetail['neighbours']
  save: (fields: { name: string; time_zone: string; geometry: ZonePolygon }) => Promise<unknown>
  head: (isSending: boolean) => ReactNode
  children?: ReactNode
}

/** Name, time zone and area of a zone. The area is pasted or imported as GeoJSON and drawn. */
export function ZoneForm({ id, initial, neighbours, save, head, children }: Props) {
  const file = useRef<HTMLInputElement>(null)
  const mutation = {
    mutateAsync: async ({ name = '', time_zone, area }: z.input<typeof Fields>) => {
      const { polygon } = readGeoJson(area)
      if (polygon) await save({ name, time_zone, geometry: polygon })
    },
  }
  const model = useForm({ schema: Fields, mutation, initial })
  const reading = readGeoJson(String(model.values.area ?? ''))
  const overlapping = neighbours.filter(({ overlaps }) => overlaps)
  const importFile = async (chosen: File) => {
    if (chosen.size > MAX_BYTES) return toastFailure('This file is larger than 1 MB.')
    model.set('area', await chosen.text())
  }
  return (
    <>
      {head(model.isSending)}
      <DetailColumns>
        <SectionCard title="Zone">
          <FormBody model={model} id={id}>
            <TextField label="Name" name="name" />
            <ChoiceField label="Time zone" name="time_zone" options={timeZones} placeholder="Select time zone…" />
            <div className={styles.json}>
              <AreaField label="Area (GeoJSON)" name="area" rows={6} />
            </div>
          </FormBody>
          <div className={styles.under}>
            <input
              ref={file}
              type="file"
              hidden
              aria-label="Import GeoJSON"
              accept=".json,.geojson"
              onChange={(event) => {
                const [chosen] = event.currentTarget.files ?? []
                if (chosen) void importFile(chosen)
                event.currentTarget.value = ''
              }}
            />
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon of={IconFileImport} />}
              onClick={() => file.current?.click()}
            >
              Import file
            </Button>
            A polygon, longitude first. At most 500 corners.
          </div>
        </SectionCard>
        <SectionCard title="Area">
          <div className={styles.facts}>
            {reading.polygon ? (
              <ZoneMap polygon={reading.polygon} neighbours={neighbours} />
            ) : (
              <Banner kind={model.values.area ? 'amber' : 'plain'}>
                {model.values.area ? reading.problem : 'Paste or import an area to see it on the map.'}
              </Banner>
            )}
            {overlapping.length > 0 && (
              <Banner kind="amber">
                Overlaps {overlapping.map(({ name }) => name).join(', ')}. An address in both belongs to the older zone.
              </Banner>
            )}
            {children}
          </div>
        </SectionCard>
      </DetailColumns>
      <LeaveGuard isDirty={model.isDirty && !model.isSending} record="zone" />
    </>
  )
}
