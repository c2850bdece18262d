import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { z } from 'zod'
import { guardLabel } from './openapi.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char)

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; } h2 { font-size: 1rem; margin-top: 2rem; }
details { border-top: 1px solid light-dark(#dee4e6, #283133); padding: .5rem 0; }
summary { cursor: pointer; } code, pre { font: 12px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; background: light-dark(#f4f7f8, #11171a); border-radius: 6px; }
b { display: inline-block; min-width: 4rem; } i { color: light-dark(#5b696d, #98a3a6); font-style: normal; }`

const shape = (title: string, schema: z.ZodType | undefined, io: 'input' | 'output') =>
  schema
    ? `<p>${title}</p><pre>${escapeHtml(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), null, 2))}</pre>`
    : ''

const entry = (
  call: CallDefinition,
) => `<details><summary><b>${call.method}</b> <code>${escapeHtml(call.path)}</code> <i>${escapeHtml(guardLabel(call))}</i></summary>
<p>${escapeHtml(call.summary)}${call.stepUp ? '. Requires a recent passkey confirmation' : ''}.</p>${shape('Path', call.params, 'input')}${shape('Query', call.query, 'input')}${shape('Body', call.body, 'input')}
${call.replyType === 'stream' ? '<p>Replies with a stream.</p>' : shape('Reply', call.reply, 'output')}
${Object.entries(call.refusals ?? {})
  .map(([code, [status, text]]) => `<p><code>${status} ${escapeHtml(code)}</code> ${escapeHtml(text)}</p>`)
  .join('')}</details>`

/** The contract as an HTML page without scripts. */
export function makeApiPage(calls: readonly CallDefinition[], nonce: string): string {
  const groups = Map.groupBy(calls, (call) => call.path.split('/').filter((part) => part && part !== 'api')[0] ?? '')
  const sections = [...groups].map(([area, list]) => `<h2>${escapeHtml(area)}</h2>${list.map(entry).join('')}`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Limber API</title>
<style nonce="${nonce}">${style}</style><body><h1>Limber API</h1><p>${calls.length} calls. Also available as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>${sections}</body></html>`
}
