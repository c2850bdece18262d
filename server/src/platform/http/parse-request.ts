import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { BadJson, parseStrictJson } from './json.ts'
import { refusals } from './refusal.ts'

/** Parses the parts of a request with the contract's schemas. Invalid input is refused with a message. */
export function parseRequest(call: CallDefinition, request: FastifyRequest, raw: Buffer | undefined) {
  const params = call.params ? check(call.params, request.params, 'path') : undefined
  const query = call.query ? check(call.query, request.query, 'query') : undefined
  if (!call.query && Object.keys(request.query as object).length > 0)
    throw refusals.badRequest('This call takes no query parameters.')
  const isUnread = call.method === 'GET' || ['multipart', 'bytes', 'reports', 'mail'].includes(call.bodyType ?? 'json')
  if (isUnread) return { params, query, body: undefined }
  let json: unknown
  try {
    json = raw && raw.length > 0 ? (call.bodyType === 'form' ? parseForm(raw) : parseStrictJson(raw)) : undefined
  } catch (error) {
    throw error instanceof BadJson ? refusals.badRequest(error.message) : error
  }
  if (!call.body) {
    if (json !== undefined && !isEmptyObject(json)) throw refusals.badRequest('This call takes no body.')
    return { params, query, body: undefined }
  }
  return { params, query, body: check(call.body, json, 'body') }
}

/** Parses form fields. Duplicate names are refused, because it is unclear which one the sender signed. */
function parseForm(raw: Buffer): Record<string, string> {
  const pairs = [...new URLSearchParams(raw.toString('utf8'))]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) throw refusals.badRequest('A form field appears twice.')
  return fields
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

/** Parses one part of a request. */
export function check(schema: z.ZodType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issue.path.join('.') || part, text: issue.message }))
  const first = fields[0]
  throw refusals.badRequest(first ? sentence(first.path, first.text) : 'The request is malformed.', fields)
}

// A full sentence is used as is; a fragment gets its field name in front.
const sentence = (path: string, text: string) => (/^[A-Z].*\.$/.test(text) ? text : `${path}: ${text}`)
