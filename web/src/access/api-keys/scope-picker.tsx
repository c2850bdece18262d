import { type ApiResource, type ApiScope, apiResources, apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { Checkbox } from '@mantine/core'
import { useField } from '#ui/form/form-state.ts'
import styles from './api-keys.module.css'
import { resourceLabel } from './key-labels.ts'

/** What the product for customers needs: it owns bookings and money, and reads what it shows. */
const isForApp = (scope: ApiScope) =>
  /^(customers|bookings|transactions|credits|rewards|referrals|participants):|^events:write$/.test(scope) ||
  /^(stretchers|zones|businesses|sessions):read$/.test(scope)

const presets: readonly [label: string, scopes: readonly ApiScope[]][] = [
  ['None', []],
  ['Customer app', apiScopes.filter(isForApp)],
  ['Read everything', apiScopes.filter((scope) => scope.endsWith(':read'))],
]

const isSameSet = (a: readonly ApiScope[], b: readonly ApiScope[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope))

/** The scopes of the form around it, as a grid of read and write, with three starting points. */
export function ScopePicker() {
  const { value, error, set } = useField<readonly ApiScope[]>('scopes', 'Scopes', [])
  const box = (resource: ApiResource, access: 'read' | 'write') => {
    const scope: ApiScope = `${resource}:${access}`
    return (
      <Checkbox
        size="xs"
        label={access === 'read' ? 'Read' : 'Write'}
        aria-label={`${resourceLabel(resource)}: ${access}`}
        checked={value.includes(scope)}
        onChange={(event) =>
          set(event.currentTarget.checked ? [...value, scope] : value.filter((each) => each !== scope))
        }
      />
    )
  }
  return (
    <fieldset className={styles.picker}>
      <div className={styles.pickerHead}>
        <legend className={styles.legend}>Scopes</legend>
        <span className={styles.count} role="status">
          {value.length} of {apiScopes.length}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons of a toolbar inside the fieldset */}
        <div className={styles.presets} role="group" aria-label="Start from">
          {presets.map(([label, scopes]) => (
            <button key={label} type="button" aria-pressed={isSameSet(value, scopes)} onClick={() => set(scopes)}>
              {label}
            </button>
          ))}
        </div>
      </div>
      {error && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
      <div className={styles.grid}>
        {apiResources.map((resource) => (
          <div key={resource} className={styles.resource}>
            <span>{resourceLabel(resource)}</span>
            {box(resource, 'read')}
            {box(resource, 'write')}
          </div>
        ))}
      </div>
    </fieldset>
  )
}
