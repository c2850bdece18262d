import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import type { changePermissions, WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { currentOf } from '#platform/api/call-failure.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { Form } from '#ui/form/form.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { useChangePermissions } from '../access.api.ts'
import { permissionGroups } from './permission-groups.ts'
import { PermissionPicker } from './permission-picker.tsx'
import styles from './worker-detail.module.css'

// The form omits empty fields, and "no role" is empty.
const Rights = z.object({ role: z.string().optional(), permissions: z.array(z.string()), version: z.int() })
type Rights = z.input<typeof Rights>

const codesOf = (worker: WorkerDetail) => worker.permissions.map(({ code }) => code)

/** Compares only what this form edits. */
const hasSameRights = (one: WorkerDetail, other: WorkerDetail) =>
  one.role === other.role && codesOf(one).toSorted().join() === codesOf(other).toSorted().join()

/** A read-only list of permissions. */
function HeldRights({ worker }: { worker: WorkerDetail }) {
  const held = new Set(codesOf(worker))
  const groups = permissionGroups
    .map(({ title, names }) => ({ title, names: names.filter((name) => held.has(codeOf(name))) }))
    .filter(({ names }) => names.length > 0)
  if (groups.length === 0) return <p className={styles.line}>No permissions.</p>
  return (
    <div className={styles.held}>
      {groups.map(({ title, names }) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul>
            {names.map((name) => (
              <li key={name}>{permissionLabel(name)}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Shown when someone else saved first: their version, and a choice between both. */
function Conflict({ worker, isRefused, onTake }: { worker: WorkerDetail; isRefused: boolean; onTake: () => void }) {
  return (
    <Banner
      kind="amber"
      action={
        <Button variant="default" size="xs" onClick={onTake}>
          Show saved version
        </Button>
      }
    >
      Someone else saved: {worker.role ?? 'no role'}, {pluralize(worker.permissions.length, 'permission')}.{' '}
      {isRefused && 'Save again to replace it with your selection.'}
    </Banner>
  )
}

interface EditorProps {
  /** The worker when editing started. */
  base: WorkerDetail
  /** The current worker. */
  latest: WorkerDetail
  /** Restarts editing from this worker. */
  onRestart: (worker: WorkerDetail) => void
}

function Editor({ base, latest, onRestart }: EditorProps) {
  const save = useChangePermissions(base.id)
  // The version that saving may replace: the one at the start, or the one shown after a conflict.
  const [seen, setSeen] = useState(base)
  const hasNewerVersion = latest.version > base.version && !hasSameRights(base, latest)
  const mutation = {
    mutateAsync: async ({ role, ...rights }: Rights) => {
      try {
        const { worker } = await save.mutateAsync({ ...rights, role: role ?? null })
        toast('Permissions saved.')
        onRestart(worker)
      } catch (error) {
        const current = currentOf<typeof changePermissions>(error)
        if (current) setSeen(current)
        throw error
      }
    },
  }
  return (
    <Form
      schema={Rights}
      mutation={mutation}
      initial={{ permissions: codesOf(base), ...(base.role ? { role: base.role } : {}) }}
      // A change to another field, such as the name, is not a conflict.
      fixed={{ version: hasSameRights(seen, latest) ? latest.version : seen.version }}
      submit="Save permissions"
      isGuarded
      record="worker"
    >
      {hasNewerVersion && !save.isPending && (
        <Conflict worker={latest} isRefused={hasSameRights(seen, latest)} onTake={() => onRestart(latest)} />
      )}
      <PermissionPicker />
    </Form>
  )
}

export function WorkerRights({ worker, isOwn }: { worker: WorkerDetail; isOwn: boolean }) {
  // Keep the version that editing started with when colleagues save their own changes.
  const [base, setBase] = useState(worker)
  const foot = isOwn
    ? undefined
    : 'Saving asks for your passkey. Removing a permission signs the worker out immediately. Added permissions apply right away.'
  return (
    <SectionCard title="Permissions" count={worker.permissions.length} foot={foot}>
      {isOwn ? (
        <HeldRights worker={worker} />
      ) : (
        <Editor key={base.version} base={base} latest={worker} onRestart={setBase} />
      )}
    </SectionCard>
  )
}
