import { type ApiScope, apiResources, apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { type Presets, SetPicker } from '../secrets/set-picker.tsx'
import styles from './api-keys.module.css'
import { resourceLabel } from './key-labels.ts'

/** What the product for customers needs: it owns bookings and money, and reads what it shows. */
const isForApp = (scope: ApiScope) =>
  /^(customers|bookings|transactions|credits|rewards|referrals|participants):|^events:write$/.test(scope) ||
  /^(stretchers|zones|businesses|sessions):read$/.test(scope)

const presets: Presets<ApiScope> = [
  ['None', []],
  ['Customer app', apiScopes.filter(isForApp)],
  ['Read everything', apiScopes.filter((scope) => scope.endsWith(':read'))],
]

/** The scopes of the form around it, as a grid of read and write. */
export function ScopePicker() {
  return (
    <SetPicker name="scopes" label="Scopes" all={apiScopes} presets={presets}>
      {(box) => (
        <div className={styles.grid}>
          {apiResources.map((resource) => (
            <div key={resource} className={styles.resource}>
              <span>{resourceLabel(resource)}</span>
              {box(`${resource}:read`, 'Read', `${resourceLabel(resource)}: read`)}
              {box(`${resource}:write`, 'Write', `${resourceLabel(resource)}: write`)}
            </div>
          ))}
        </div>
      )}
    </SetPicker>
  )
}
