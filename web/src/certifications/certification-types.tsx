import { type CertificationType, exportCertificationTypes } from '@limber/contract/certifications/type.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconCertificate, IconChevronLeft, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { typesQuery, useChangeType, useDeleteType } from './certification.api.ts'
import type { ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'
import { TypeDialog } from './type-dialog.tsx'

const validity = (months: number | null) => (months === null ? 'No expiration' : pluralize(months, 'month'))

export function CertificationTypes({ change }: { change: ChangeSearch }) {
  const [open, setOpen] = useState<CertificationType | 'new'>()
  const remove = useDeleteType()
  const update = useChangeType()
  const query = useQuery({
    ...typesQuery,
    select: ({ types }): TablePage<CertificationType> => ({ rows: types, totalItems: types.length }),
  })
  const confirmDelete = async (type: CertificationType) => {
    const question = {
      title: `Delete “${type.certificationName}”?`,
      body: 'No one holds a certification of this type. This cannot be undone.',
      action: 'Delete',
      isDestructive: true,
    }
    if (!(await confirm(question))) return
    void remove.mutateAsync(type.id).then(
      () => toast(`“${type.certificationName}” deleted.`),
      (error: unknown) => toastFailure(`Couldn't delete “${type.certificationName}”`, error),
    )
  }
  const confirmRetire = async (type: CertificationType) => {
    const { id, certificationName, description, validMonths, isRequired, version } = type
    const question = {
      title: `Retire “${certificationName}”?`,
      body: 'It can no longer be issued. Existing certifications do not change.',
      action: 'Retire',
    }
    if (!(await confirm(question))) return
    const body = { certificationName, description, validMonths, isRequired, isRetired: true, version }
    void update.mutateAsync({ id, body }).then(
      (retired) => toastUndo(`“${certificationName}” retired.`, retired),
      (error: unknown) => toastFailure(`Couldn't retire “${certificationName}”`, error),
    )
  }
  const columns: Column<CertificationType>[] = [
    { key: 'name', title: 'Type', isTitle: true, cell: ({ certificationName }) => certificationName },
    { key: 'validity', title: 'Valid for', cell: ({ validMonths }) => validity(validMonths) },
    {
      key: 'required',
      title: 'On-site sessions',
      cell: ({ isRequired, isRetired }) =>
        isRetired ? (
          <StatusDot>Retired</StatusDot>
        ) : isRequired ? (
          <StatusDot meaning="teal">Required</StatusDot>
        ) : (
          'Optional'
        ),
    },
    {
      key: 'courses',
      title: 'Courses',
      cell: ({ courses }) => courses.map(({ courseName }) => courseName).join(', ') || '--',
    },
    {
      key: 'held',
      title: 'Certifications',
      isRight: true,
      cell: ({ certifications, valid }) => `${formatInteger(valid)} valid of ${formatInteger(certifications)}`,
    },
    {
      key: 'actions',
      title: 'Actions',
      isRight: true,
      cell: (type) => (
        <span className={styles.actions}>
          <Button size="xs" variant="subtle" onClick={() => setOpen(type)}>
            Edit
          </Button>
          {type.certifications === 0 ? (
            <Button size="xs" variant="subtle" color="red" onClick={() => void confirmDelete(type)}>
              Delete
            </Button>
          ) : (
            // A type in use can be retired, but not deleted.
            <Button size="xs" variant="subtle" disabled={type.isRetired} onClick={() => void confirmRetire(type)}>
              Retire
            </Button>
          )}
        </span>
      ),
    },
  ]
  const add = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => setOpen('new')}>
      Add type
    </Button>
  )
  return (
    <>
      <PageHead
        title="Certification types"
        actions={
          <>
            <ExportButton call={exportCertificationTypes} />
            <Button variant="default" leftSection={<Icon of={IconChevronLeft} />} onClick={() => change({ view: '' })}>
              Back to List
            </Button>
            {add}
          </>
        }
      >
        What people can be certified for, and how long it lasts.
      </PageHead>
      <div className={styles.page}>
        <SectionCard isFlush>
          <DataTable
            label="Certification types"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            onOpen={setOpen}
            isStacking
            failure="Error: Failed to fetch certification types"
            empty={
              <EmptyState icon={IconCertificate} title="No certification types yet" action={add}>
                Add a type before you issue the first certification.
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      {open && <TypeDialog type={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
