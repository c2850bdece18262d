import type { ReplyFacts } from '#platform/http/routes.ts'
import { randomToken } from '#platform/security/secrets.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { max-width: 26rem; margin: 15vh auto 0; padding: 0 1.5rem; color: light-dark(#111b1e, #eaedee); background: light-dark(#f4f7f8, #0d1314); }
h1 { font-size: 1.25rem; } p { color: light-dark(#445356, #b9c1c3); }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 6px; color: #fff; background: light-dark(#0f605e, #187674); cursor: pointer; }
button:focus-visible, input:focus-visible, textarea:focus-visible { outline: 2px solid light-dark(#187674, #5eb6b2); outline-offset: 2px; }
fieldset { display: flex; gap: .75rem; margin: 1rem 0; padding: 0; border: 0; } legend { margin-bottom: .5rem; font-weight: 600; }
label { display: block; } fieldset label { flex: 1; display: flex; align-items: center; gap: .5rem; padding: .75rem 1rem; border: 1px solid light-dark(#c3cfd1, #3b4a4d); border-radius: 6px; cursor: pointer; }
fieldset label:has(:checked) { border-color: light-dark(#0f605e, #5eb6b2); } input { accent-color: light-dark(#0f605e, #5eb6b2); }
textarea { box-sizing: border-box; width: 100%; min-height: 6rem; margin: .25rem 0 1rem; padding: .5rem .75rem; font: inherit; color: inherit; background: light-dark(#fff, #151d1f); border: 1px solid light-dark(#8a989b, #5a696c); border-radius: 6px; }
.error { color: light-dark(#b3261e, #ff9c94); }`

/** A page that works in any browser without scripts: the reader does not use this product. */
export function publicPage(reply: ReplyFacts, title: string, content: string): string {
  const nonce = randomToken(16)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header(
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`
}
