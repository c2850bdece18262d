import { codeOf, wordsOf } from '@limber/contract/access/permissions.ts'
import type { WorkerDetail } from '@limber/contract/access/worker.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { CallFailure } from '#platform/call-failure.ts'
import { Banner } from '#ui/banner.tsx'
import { Form } from '#ui/form.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { toast } from '#ui/toast-store.ts'
import { useChangePermissions } from './access.api.ts'
import { permissionGroups } from './permission-groups.ts'
import { PermissionPicker } from './permission-picker.tsx'
import styles from './worker-detail.module.css'

// The form leaves empty fields out, and no role is an empty one.
const Rights = z.object({ role: z.string().optional(), permissions: z.array(z.string()), version: z.int() })
type Rights = z.input<typeof Rights>

const codesOf = (worker: WorkerDetail) => worker.permissions.map(({ code }) => code)

/** What one may do, when it cannot be changed here. */
function HeldRights({ worker }: { worker: WorkerDetail }) {
  const held = new Set(codesOf(worker))
  const groups = permissionGroups
    .map(({ title, names }) => ({ title, names: names.filter((name) => held.has(codeOf(name))) }))
    .filter(({ names }) => names.length > 0)
  if (groups.length === 0) return <p className={styles.line}>No permission is held.</p>
  return groups.map(({ title, names }) => (
    <div key={title}>
      <h3>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>{wordsOf(name)}</li>
        ))}
      </ul>
    </div>
  ))
}

/** Somebody else saved first: what it is now, and the choice between theirs and mine. */
function Conflict({ worker, onTake }: { worker: WorkerDetail; onTake: () => void }) {
  return (
    <Banner
      kind="amber"
      action={
        <Button variant="default" size="xs" onClick={onTake}>
          Show what is saved
        </Button>
      }
    >
      Saved meanwhile: {worker.role ?? 'no role'}, {worker.permissions.length} permissions. Save again to replace it
      with what is ticked here.
    </Banner>
  )
}

function Editor({ worker, onRestart }: { worker: WorkerDetail; onRestart: () => void }) {
  const save = useChangePermissions(worker.id)
  const isStale = save.error instanceof CallFailure && save.error.code === 'stale'
  const mutation = {
    mutateAsync: ({ role, ...rights }: Rights) => save.mutateAsync({ ...rights, role: role ?? null }),
  }
  return (
    <Form
      schema={Rights}
      mutation={mutation}
      initial={{ permissions: codesOf(worker), ...(worker.role ? { role: worker.role } : {}) }}
      fixed={{ version: worker.version }}
      submit="Save permissions"
      onDone={() => {
        toast('Permissions saved. They count from the next request.')
        onRestart()
      }}
      isGuarded
    >
      {isStale && <Conflict worker={worker} onTake={onRestart} />}
      <PermissionPicker />
    </Form>
  )
}

/** What a worker may do: ticked by hand or by role, saved with a passkey. */
export function WorkerRights({ worker, isOwn }: { worker: WorkerDetail; isOwn: boolean }) {
  const [turn, setTurn] = useState(0)
  const foot = isOwn ? undefined : 'Saving asks for your passkey. The worker sees the change at once.'
  return (
    <SectionCard title="Permissions" count={worker.permissions.length} foot={foot}>
      {isOwn ? (
        <HeldRights worker={worker} />
      ) : (
        <Editor key={turn} worker={worker} onRestart={() => setTurn(turn + 1)} />
      )}
    </SectionCard>
  )
}
