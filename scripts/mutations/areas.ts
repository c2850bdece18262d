/**
 * What `npm run test:mutations` changes, and the tests that must notice. Only files whose tests need no database: each
 * mutant runs its tests again. What needs one is in `guards-list.ts`.
 */
export interface Mutated {
  /** Globs of the files that are changed. */
  files: readonly string[]
  /** Globs of their tests. */
  tests: readonly string[]
}

const server = (area: string, ...globs: string[]) => globs.map((glob) => `server/src/${area}/${glob}`)

export const mutated: Readonly<Record<'access' | 'payroll' | 'platform', Mutated>> = {
  access: {
    files: server(
      'access',
      '{api-keys,onboarding,recovery,sign-in,webhooks,workers}/*.rules.ts',
      'passkeys/cbor.rules.ts',
      'webhooks/address.ts',
    ),
    tests: server('access', '**/*.rules.test.ts', 'webhooks/address.test.ts'),
  },
  payroll: {
    files: server('payroll', 'tax/{amount,california,federal,paycheck,tables,trace}.rules.ts'),
    tests: server('payroll', 'tax/tax.test.ts'),
  },
  platform: {
    files: [
      ...server('platform', 'audit/audit-person.ts', 'http/json.ts', 'security/{scrub,secrets}.ts', 'telemetry/log.ts'),
      'contract/src/kit/{csv,redact-url}.ts',
    ],
    tests: server(
      'platform',
      'audit/audit-person.test.ts',
      'http/{csv,json}.test.ts',
      'security/{scrub,secrets}.test.ts',
      'telemetry/{log,redact-url}.test.ts',
    ),
  },
}
