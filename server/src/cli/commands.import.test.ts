import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { importCommands } from './commands.import.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'limber-import-'))
  vi.stubEnv('DATABASE_URL', server.running.services.config.databaseUrl)
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('LIMBER_STORAGE', join(folder, 'files'))
  vi.stubEnv('SECRET_KEY', server.running.services.config.secretKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await server.db.deleteFrom('imports').execute()
  await server.db.deleteFrom('external_refs').execute()
  await server.db.deleteFrom('customers').execute()
})

interface Outcome {
  counts: Record<string, number> | undefined
  exitCode: number
  complaint: string
}

/** Imports a file with this content, and returns what the command prints. */
async function run(
  resource: string,
  content: string | Buffer,
  options: Record<string, string | boolean> = {},
): Promise<Outcome> {
  const path = join(folder, 'file.csv')
  await writeFile(path, content)
  const printed = { out: '', error: '' }
  process.exitCode = undefined
  const record = (to: keyof typeof printed) => (text: unknown) => {
    printed[to] += String(text)
    return true
  }
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(record('out'))
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(record('error'))
  try {
    await importCommands.import?.run(options, [resource, path])
    const last = printed.out.trimEnd().split('\n').at(-1)
    return {
      counts: last ? (JSON.parse(last) as Record<string, number>) : undefined,
      exitCode: Number(process.exitCode ?? 0),
      complaint: printed.error.trim(),
    }
  } finally {
    process.exitCode = undefined
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
const counts = (given: Record<string, number>) => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  ...given,
})
const customers = () =>
  server.db
    .selectFrom('customers')
    .select(['first_name', 'last_name', 'email', 'phone', 'joined_at', 'waiver_signed_at', 'city', 'postal_code'])
    .orderBy('email')
    .execute()

const mindbody = `ClientID,FirstName,LastName,Email,MobilePhone,CreationDate,AddressLine1,City,State,PostalCode,LiabilityRelease
100000214,Jazmín,Reyes,jazmin@example.com,(951) 555-0142,03/04/2025,4180 Brockton Ave,Riverside,CA,92501,Yes
100000215,Andrew,Santos,andrew@example.com,9515550117,2025-03-19,,,,,No
`

describe('a file of customers', () => {
  it('is imported with a ready-made map, and again without a change', async () => {
    expect(await run('customers', mindbody, { map: 'mindbody-clients' })).toEqual({
      counts: counts({ created: 2 }),
      exitCode: 0,
      complaint: '',
    })
    expect(await customers()).toEqual([
      {
        first_name: 'Andrew',
        last_name: 'Santos',
        email: 'andrew@example.com',
        phone: '+19515550117',
        joined_at: new Date('2025-03-19T07:00:00Z'),
        waiver_signed_at: null,
        city: null,
        postal_code: null,
      },
      {
        first_name: 'Jazmín',
        last_name: 'Reyes',
        email: 'jazmin@example.com',
        phone: '+19515550142',
        joined_at: new Date('2025-03-04T08:00:00Z'),
        waiver_signed_at: new Date('2025-03-04T08:00:00Z'),
        city: 'Riverside',
        postal_code: '92501',
      },
    ])
    expect((await run('customers', mindbody, { map: 'mindbody-clients' })).counts).toEqual(counts({ unchanged: 2 }))
    const changed = mindbody.replace('9515550117', '9515550199')
    expect((await run('customers', changed, { map: 'mindbody-clients' })).counts).toEqual(
      counts({ updated: 1, unchanged: 1 }),
    )
  })

  it('is only counted in a dry run', async () => {
    const file =
      'external_id,first_name,last_name,email,referred_by.customer\n1,A,B,a@example.com,\n2,C,D,c@example.com,1\n'
    expect((await run('customers', file, { 'dry-run': true })).counts).toEqual(counts({ created: 2 }))
    expect(await customers()).toEqual([])
    expect(await server.db.selectFrom('external_refs').selectAll().execute()).toEqual([])
  })

  it('skips rows that repeat an earlier one, and rejects bad ones without stopping', async () => {
    const rejected = join(folder, 'rejected.csv')
    const file = [
      'id;Full name;Email;Phone;Join date',
      '1;Reyes, Jazmín;jazmin@example.com;+1 951 555 0142;2025-03-04',
      '2;Trevor Cooper;tcooper97@example;;2025-03-04',
      '1;Other Person;other@example.com;;2025-03-04',
      '3;Same Mail;JAZMIN@example.com;;2025-03-04',
      '4;Kim Lee;kim@example.com;12;2025-03-04',
      '5;Eve Ray;eve@example.com;;soon',
      '6;Ana Vega;ana@example.com;;2025-03-04',
    ].join('\n')
    expect(await run('customers', file, { rejected, strict: true })).toEqual({
      counts: counts({ created: 2, skipped: 2, rejected: 3 }),
      exitCode: 1,
      complaint: '',
    })
    expect((await customers()).map(({ first_name, last_name }) => `${first_name} ${last_name}`)).toEqual([
      'Ana Vega',
      'Jazmín Reyes',
    ])
    const lines = (await readFile(rejected, 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines[0]).toBe('id,Full name,Email,Phone,Join date,Reason')
    expect(lines.slice(1).toSorted()).toEqual([
      '1,Other Person,other@example.com,,2025-03-04,Same ID as line 2.',
      '2,Trevor Cooper,tcooper97@example,,2025-03-04,Email is not valid.',
      '3,Same Mail,JAZMIN@example.com,,2025-03-04,Same email as line 2.',
      '4,Kim Lee,kim@example.com,12,2025-03-04,Phone must be a number like +19515550123.',
      '5,Eve Ray,eve@example.com,,soon,Joined is not a date.',
    ])
  })

  it('takes a file of rejected rows again after they were corrected', async () => {
    const rejected = join(folder, 'again.csv')
    const head = 'external_id,first_name,last_name,email,phone\n'
    await run('customers', `${head}1,Ana,Vega,ana@example,+19515550142\n`, { rejected })
    const corrected = (await readFile(rejected, 'utf8')).replace('ana@example,', 'ana@example.com,')
    expect(corrected).toContain("'+19515550142")
    expect((await run('customers', corrected)).counts).toEqual(counts({ created: 1 }))
    expect((await customers())[0]?.phone).toBe('+19515550142')
  })

  it('sends nothing and writes one audit row', async () => {
    await run('customers', 'first_name,last_name,email\nAna,Vega,ana@example.com\n', { source: 'sheet' })
    expect(await server.db.selectFrom('outbox').selectAll().execute()).toEqual([])
    const rows = await server.db
      .selectFrom('audit_log')
      .select(['call', 'reason'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(rows).toEqual([{ call: 'import', reason: 'customers: 1 created, 0 updated' }])
    const refs = await server.db.selectFrom('external_refs').select(['source', 'external_id']).execute()
    expect(refs).toEqual([{ source: 'sheet', external_id: 'ana@example.com' }])
  })
})

describe('a file that cannot be taken', () => {
  const head = 'first_name,last_name,email,joined_at\n'
  it.each([
    ['customers', '', {}, 'The file is empty.'],
    ['customers', head, {}, 'The file has no rows below its headers.'],
    ['customers', 'color,size\nred,4\n', {}, /^No column is known\. Name the columns after the fields: external_id, /],
    ['customers', 'email,email\na@example.com,b@example.com\n', {}, 'Two columns are named email. Rename one of them.'],
    [
      'customers',
      `${head}A,B,a@example.com,03/04/2025\n`,
      {},
      'joined_at has dates such as 03/04/2025 that can be read in two ways. Say which comes first: --dates mdy (month) or --dates dmy (day).',
    ],
    ['clients', head, {}, /^Enter what to import: customers, bookings, /],
    ['customers', head, { dates: 'ymd' }, '--dates: must be mdy or dmy'],
    ['customers', head, { source: 'Not a slug' }, /^--source: /],
    ['customers', head, { map: 'nowhere' }, /^There is no map nowhere\. Ready-made maps: mindbody-clients, /],
  ])('as %s %j with %j is refused with exit code 2', async (resource, content, options, text) => {
    const outcome = await run(resource, content, options)
    expect(outcome).toMatchObject({ counts: undefined, exitCode: 2 })
    expect(outcome.complaint).toMatch(text)
    expect(await customers()).toEqual([])
  })

  it('is taken once the order of its dates is known', async () => {
    const file = `${head}A,B,a@example.com,03/04/2025\n`
    expect((await run('customers', file, { dates: 'dmy' })).counts).toEqual(counts({ created: 1 }))
    expect((await customers())[0]?.joined_at).toEqual(new Date('2025-04-03T07:00:00Z'))
  })
})

it('imports tickets with their messages, one row for each message, and sends no confirmation', async () => {
  const file = [
    'external_id,customer_email,subject,status,priority,created_at,message.content,message.from_customer,message.created_at',
    'z-1,ana@example.com,Too short,solved,normal,2026-03-04T10:00:00Z,It ended early.,yes,2026-03-04T10:00:00Z',
    'z-1,ana@example.com,Too short,solved,normal,2026-03-04T10:00:00Z,We are sorry.,no,2026-03-04T11:00:00Z',
  ].join('\n')
  expect((await run('tickets', file)).counts).toEqual(counts({ created: 1 }))
  const [ticket] = await server.db.selectFrom('tickets').select(['id', 'status', 'priority']).execute()
  expect(ticket).toMatchObject({ status: 'closed', priority: 'medium' })
  const messages = await server.db.selectFrom('ticket_messages').select('content').orderBy('id').execute()
  expect(messages.map(({ content }) => content)).toEqual(['It ended early.', 'We are sorry.'])
  expect(await server.db.selectFrom('outbox').selectAll().execute()).toEqual([])
})
