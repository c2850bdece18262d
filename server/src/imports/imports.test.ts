import { randomUUID } from 'node:crypto'
import { readImport, readImportColumns, uploadImport } from '@limber/contract/imports/import.ts'
import { importFields } from '@limber/contract/imports/import-fields.ts'
import { importKinds, importResources } from '@limber/contract/imports/import-kinds.ts'
import { deleteImportMap, listImportMaps, saveImportMap } from '@limber/contract/imports/import-map.ts'
import { readyMaps } from '@limber/contract/imports/ready-maps.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { upload } from './imports.testing.ts'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  owner = server.asOwner()
})
afterAll(() => server.stop())

const people = (...lines: string[]) => ['First name,Last name,Email', ...lines].join('\n')

describe('POST /api/imports/upload', () => {
  it('stores the file and says what it is', async () => {
    const { status, body } = await upload(owner, 'customers', people('Ada,Diaz,ada@example.com'), 'people.csv')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      resource: 'customers',
      state: 'uploaded',
      file: { name: 'people.csv', rows: 1, encoding: 'utf-8', delimiter: ',', is_kept: true },
      same_file: null,
      undo_until: null,
    })
    expect((await owner.send(readImport, { params: { id: String(body.id) } })).body).toEqual(body)
  })

  it.each([
    ['an empty file', '', 'empty_file'],
    ['headers alone', 'Email\n', 'unreadable'],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004 and more'), 'unreadable'],
    ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 'unreadable'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]), 'unreadable'],
    ['two columns of the same name', 'Email,Email\na@b.example,c@d.example', 'unreadable'],
    ['a quote that is never closed', 'Name,Email\n"Ada,a@b.example\nBo,b@b.example', 'unreadable'],
    ['another delimiter', 'Name|Email\nAda|a@b.example', 'unreadable'],
    ['10,000 columns', `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n1`, 'unreadable'],
    ['a line of 2 MB', `Name,Email\n${'x'.repeat(2_000_000)},a@b.example`, 'unreadable'],
  ])('refuses %s in words, and keeps nothing', async (_, content, code) => {
    const { failure } = await upload(owner, 'customers', content)
    expect(failure).toMatchObject({ code })
    expect(failure.message).toMatch(/^[A-Z].*\.$/)
    const stored: string[] = []
    for await (const { key } of server.running.services.storage.list('imports/')) stored.push(key)
    const known = await server.db.selectFrom('imports').select('file_key').execute()
    expect(stored.toSorted()).toEqual(known.map(({ file_key }) => file_key).toSorted())
  })

  it('refuses a form without a kind, with another field, or without a file', async () => {
    expect((await upload(owner, 'people', people('a,b,c'))).failure.code).toBe('bad_field')
    expect((await upload(owner, 'customers', people('a,b,c'), 'x.csv', { color: 'red' })).failure.code).toBe(
      'bad_field',
    )
  })

  it.each(importResources)('takes %s only from those who may write them', async (resource) => {
    const { permission } = importKinds[resource]
    const header = importFields[resource].map(({ path }) => path).join(',')
    const content = `${header}\n${randomUUID()}`
    const able = await upload(server.as(permission), resource, content)
    expect(able.status).toBe(200)
    const other = server.as(permission === 'leads.create' ? 'tickets.create' : 'leads.create')
    expect((await upload(other, resource, content)).failure.code).toBe('not_allowed')
    const read = await other.send(readImport, { params: { id: String(able.body.id) } })
    expect(read.failure.code).toBe('not_allowed')
  })
})

describe('GET /api/imports/:id/columns', () => {
  const columnsOf = async (resource: string, content: string | Buffer, map?: string) => {
    const { body } = await upload(owner, resource, content)
    return owner.send(readImportColumns, { params: { id: String(body.id) }, query: map === undefined ? {} : { map } })
  }

  it('guesses fields from headers and values', async () => {
    const { body } = await columnsOf(
      'customers',
      'GIVEN NAME,Surname,Where to write,Cell no,Custom 3\nAda,Diaz,ada@example.com,(951) 555-0142,VIP\nBo,Ek,bo@example.com,,',
    )
    expect(body.columns.map(({ header, field, found_by }) => [header, field, found_by])).toEqual([
      ['GIVEN NAME', 'first_name', 'header'],
      ['Surname', 'last_name', 'header'],
      ['Where to write', 'email', 'values'],
      ['Cell no', 'phone', 'values'],
      ['Custom 3', null, null],
    ])
    expect(body.columns[3]).toMatchObject({ filled: 0.5, samples: ['(951) 555-0142'] })
    expect(body.map).toBeNull()
  })

  it('asks for the order of day and month, and never guesses it', async () => {
    const dates = async (...values: string[]) => {
      const { body } = await columnsOf(
        'customers',
        `Email,Joined\n${values.map((value) => `a@b.example,${value}`).join('\n')}`,
      )
      return body.columns[1]?.dates
    }
    expect(await dates('03/04/2025', '2025-03-19', '"Mar 4, 2025"')).toEqual({
      iso: 1,
      numeric: 1,
      named: 1,
      example: '03/04/2025',
      order: 'unclear',
    })
    expect(await dates('03/14/2025', '03/04/2025')).toMatchObject({ order: 'mdy' })
    expect(await dates('14/03/2025')).toMatchObject({ order: 'dmy', example: null })
    expect(await dates('14/03/2025', '03/14/2025')).toMatchObject({ order: 'unclear' })
    expect(await dates('2025-03-14')).toMatchObject({ order: null })
  })

  it.each(Object.entries(readyMaps))('finds the map %s by itself', async (key, { resource, columns, label }) => {
    const headers = Object.keys(columns)
    const { body } = await columnsOf(
      resource,
      `${headers.map((name) => `"${name}"`).join(',')},Other\n${headers.map(() => 'x').join(',')},y`,
    )
    expect(body.map).toBe(key)
    expect(body.maps.find((each) => each.key === key)).toMatchObject({ label, matches: headers.length, saved_by: null })
    expect(body.columns.map(({ field }) => field)).toEqual([...Object.values(columns), null])
  })

  it('takes a saved map, or none', async () => {
    const columns = { Who: 'email', 'First one': 'first_name' }
    const saved = await owner.send(saveImportMap, {
      body: { resource: 'customers', name: 'Ours', columns, dates: 'dmy' },
    })
    const content = 'Who,First one\nada@example.com,Ada'
    const key = `saved-${saved.body.id}`
    expect((await columnsOf('customers', content)).body).toMatchObject({ map: key, dates: 'dmy' })
    expect((await columnsOf('customers', content, 'none')).body.columns.map(({ field }) => field)).toEqual([
      'email',
      null,
    ])
    expect((await columnsOf('customers', content, 'gone')).failure.code).toBe('no_map')
    const again = await owner.send(saveImportMap, { body: { resource: 'customers', name: 'Ours', columns } })
    expect(again.body).toMatchObject({ id: saved.body.id, dates: null })
    const other = server.as('leads.create')
    expect((await other.send(listImportMaps)).body.maps).toEqual([])
    const params = { id: String(saved.body.id) }
    expect((await other.send(deleteImportMap, { params })).failure.code).toBe('not_allowed')
    expect((await owner.send(deleteImportMap, { params })).status).toBe(200)
    expect((await owner.send(listImportMaps)).body.maps).toEqual([])
  })

  it('refuses a map with an unknown field, or two columns for one', async () => {
    const save = async (columns: Record<string, string>) =>
      (await owner.send(saveImportMap, { body: { resource: 'customers', name: 'Bad', columns } })).failure
    expect(await save({ A: 'color' })).toMatchObject({ code: 'bad_columns' })
    expect((await save({ A: 'email', B: 'email' })).message).toBe('The columns A and B both go to Email.')
  })
})

it('refuses a form without a file', async () => {
  const { failure } = await owner.send(uploadImport, {}, { rawBody: '', headers: { 'content-type': 'text/plain' } })
  expect(failure.code).not.toBe('')
})
