import { notePartner, type PartnerDetail } from '@limber/contract/growth/partners/partner.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconBuildingStore, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { dollars } from '../labels.ts'
import { statusLabels, statusMeaning } from './labels.ts'
import { MovePartner } from './move-partner.tsx'
import { partnerQuery, useChangePartner, useNotePartner } from './partner.api.ts'
import styles from './partners.module.css'

function Kind({ partner }: { partner: PartnerDetail }) {
  const change = useChangePartner(partner.id)
  const other = partner.kind === 'school' ? 'business' : 'school'
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={change.isPending}
      onClick={() =>
        void change.mutateAsync({ kind: other, version: partner.version }).then(
          () => toast(`${partner.name} is now a ${other}.`),
          (error: unknown) => toastFailure("Couldn't change the partner", error),
        )
      }
    >
      Change to {other}
    </Button>
  )
}

function Notes({ partner }: { partner: PartnerDetail }) {
  const note = useNotePartner(partner.id)
  const [round, setRound] = useState(0)
  return (
    <>
      <h3 className={styles.part}>Notes</h3>
      <Form
        key={round}
        schema={notePartner.body}
        mutation={note}
        submit="Add Note"
        isQuiet
        isGuarded
        record="partner"
        onDone={() => {
          toast('Note added.')
          setRound(round + 1)
        }}
      >
        <AreaField label="New note" name="note" rows={2} />
      </Form>
      <ul className={styles.notes}>
        {partner.notes.map((one) => (
          <li key={one.id}>
            <span className={styles.meta}>
              {one.status && `${statusLabels[one.status]} · `}
              {one.by ?? 'Former worker'}, <Moment at={one.at} />
            </span>
            <p>{one.note}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Content({ partner }: { partner: PartnerDetail }) {
  return (
    <>
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[partner.status]}>{statusLabels[partner.status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Type">
          {partner.kind === 'school' ? 'School' : 'Business'} <Kind partner={partner} />
        </Facts.Row>
        <Facts.Row label="Representative">{partner.repName ?? '--'}</Facts.Row>
        <Facts.Row label="Contact Email">{partner.repEmail}</Facts.Row>
        <Facts.Row label="Contacted">
          {partner.timesContacted === 0 ? (
            'Never'
          ) : (
            <span>
              {partner.timesContacted === 1 ? 'Once,' : `${formatInteger(partner.timesContacted)} times, last`}{' '}
              <Moment at={partner.lastContact} form="day" absent="--" />
            </span>
          )}
        </Facts.Row>
        {partner.pilotEndsOn && <Facts.Row label="Pilot Expiry">{dayText(partner.pilotEndsOn)}</Facts.Row>}
        {partner.renewalDate && <Facts.Row label="Renewal Date">{dayText(partner.renewalDate)}</Facts.Row>}
        <Facts.Row label="Total Revenue">{dollars(partner.totalRevenue)}</Facts.Row>
      </Facts>
      <h3 className={styles.part}>Change status</h3>
      <MovePartner partner={partner} />
      <Notes partner={partner} />
    </>
  )
}

interface Props {
  id: number
  onWrite: (partner: PartnerDetail) => void
  onClose: () => void
}

/** One partner: its status, the next steps and all dated notes. */
export default function PartnerDialog({ id, onWrite, onClose }: Props) {
  const query = useQuery(partnerQuery(id))
  const { data } = query
  const foot = data && (
    <>
      <RecordButton
        to="/worker/managing/businesses"
        search={{ business: id }}
        needs="businesses.manage"
        icon={IconBuildingStore}
      >
        Blocks and sessions
      </RecordButton>
      <Button variant="default" leftSection={<Icon of={IconMail} />} onClick={() => onWrite(data)}>
        Email
      </Button>
    </>
  )
  return (
    <Dialog isOpen isSide focusesClose onClose={onClose} title={data?.name ?? 'Partner'} size={520} foot={foot}>
      <QueryView query={query}>{(partner) => <Content partner={partner} />}</QueryView>
    </Dialog>
  )
}
