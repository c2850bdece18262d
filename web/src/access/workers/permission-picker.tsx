import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useField } from '#ui/form/form-state.ts'
import { permissionGroups } from './permission-groups.ts'
import styles from './permission-picker.module.css'

const NO_ROLE = ''
const roles = [
  { value: NO_ROLE, label: 'No role' },
  ...Object.keys(rolePresets).map((role) => ({ value: role, label: role })),
]
const presetOf = (role: string) => (rolePresets[role] ?? []).map(codeOf)
const countAll = permissionNames.length

/** The role and permission fields of a form. A role only fills in the checkboxes. */
export function PermissionPicker({ isDisabled = false }: { isDisabled?: boolean }) {
  const role = useField<string | null>('role', 'Role', null)
  const held = useField<readonly string[]>('permissions', 'Permissions', [])

  const choose = (next: string) => {
    role.set(next === NO_ROLE ? null : next)
    if (next !== NO_ROLE) held.set(presetOf(next))
  }
  const toggle = (code: string, isOn: boolean) => {
    const others = held.value.filter((one) => one !== code)
    held.set(isOn ? [...others, code] : others)
    // An Owner has every permission.
    if (!isOn && role.value === 'Owner') role.set(null)
  }
  return (
    <>
      <NativeSelect
        classNames={{ wrapper: styles.role ?? '' }}
        label="Role"
        description="Fills in the permissions below. You can change each one."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        data={roles}
        disabled={isDisabled}
        value={role.value ?? NO_ROLE}
        error={role.error}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <p className={styles.sum} role="status">
        {held.value.length} of {countAll} permissions
      </p>
      {held.error && <p className={styles.problem}>{held.error}</p>}
      <div className={styles.groups}>
        {permissionGroups.map(({ title, names }) => (
          <fieldset key={title} className={styles.group}>
            <legend className={styles.legend}>{title}</legend>
            {names.map((name) => (
              <Checkbox
                key={name}
                label={permissionLabel(name)}
                disabled={isDisabled}
                checked={held.value.includes(codeOf(name))}
                onChange={(event) => toggle(codeOf(name), event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  )
}
