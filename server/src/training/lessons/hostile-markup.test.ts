import { createLesson, putLesson } from '@limber/contract/training/lessons/lesson.ts'
import { parseFragment } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCourse, makeModule } from '../training.factory.ts'
import { cleanHtml, escapeHtml, findBadLink, isSafeLink } from './markup.rules.ts'

const code = 'alert(1)'
const handlers =
  'onload onerror onclick onmouseover onfocus onblur onanimationstart ontoggle onpointerenter onwheel onbegin onend onrepeat onpageshow onscroll oncut onpaste onbeforeinput'.split(
    ' ',
  )
const elements =
  'img svg body video audio details marquee input iframe object embed math table div a select style form keygen isindex'.split(
    ' ',
  )
const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  'javascript&#0000058alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'blob:https://x/1',
  'file:///etc/passwd',
  '//evil.example/x',
  '\\\\evil.example\\x',
  'feed:javascript:alert(1)',
  'view-source:javascript:alert(1)',
]
const oddPayloads = [
  '<script>alert(1)</script>',
  '<script src=//evil.example></script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '<script/x>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script\n>alert(1)</script\n>',
  '<<script>alert(1)//<</script>',
  '<script>alert(1)',
  '</script><script>alert(1)</script>',
  '<svg><script>alert(1)</script></svg>',
  '<svg/onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x">',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><img src=x onerror=alert(1)></textarea>',
  '<title><img src=x onerror=alert(1)></title>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src=x:x onerror\n=\nalert(1)>',
  '<img src="x"onerror="alert(1)">',
  '<img/src/onerror=alert(1)>',
  '<img src=`x`onerror=alert(1)>',
  "<img src='x' 'onerror'=alert(1)>",
  '<img srcset="https://evil.example/x 1x">',
  '<img src=https://evil.example/x>',
  '<img lowsrc=javascript:alert(1)>',
  '<img dynsrc=javascript:alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src=javascript:alert(1)>',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<applet code=x>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<link rel=import href=//evil.example>',
  '<style>@import "//evil.example"</style>',
  '<style>*{background:url(//evil.example)}</style>',
  '<div style="background:url(//evil.example)">x</div>',
  '<div style="position:fixed;inset:0">x</div>',
  '<p style=behavior:url(#x)>x',
  '<form action=javascript:alert(1)><button>x</button></form>',
  '<button formaction=javascript:alert(1)>x</button>',
  '<isindex action=javascript:alert(1) type=submit>',
  '<a href="https://ok.example" ping="https://evil.example">x</a>',
  '<a href="https://ok.example" target=_blank onclick=alert(1)>x</a>',
  '<video src=https://evil.example/x.mp4 poster=javascript:alert(1)></video>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onloadstart=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<slot onslotchange=alert(1)>',
  '<portal src=javascript:alert(1)>',
  '<frameset onload=alert(1)>',
  '<dialog open onclose=alert(1)>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '<x onclick=alert(1)>x</x>',
  '<p id=location name=cookie>x</p>',
  '<img name=getElementById>',
  '<form name=body>',
  '<a id=x name=y href=cid:z>x</a>',
  '<bdo dir=rtl onclick=alert(1)>x',
  '<table background=javascript:alert(1)>',
  '<td background=javascript:alert(1)>',
  '<body background=javascript:alert(1)>',
  '<q cite=javascript:alert(1)>x</q>',
  '<del cite=javascript:alert(1)>x</del>',
  '<b \u0000onclick=alert(1)>x',
  '<img\u000csrc=x\u000conerror=alert(1)>',
  '<\u0000script>alert(1)</script>',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u{ff1c}script\u{ff1e}alert(1)\u{ff1c}/script\u{ff1e}',
  '`<img src=x onerror=alert(1)>`',
  '```\n<img src=x onerror=alert(1)>\n```',
  '<div>\n`<img src=x onerror=alert(1)>`\n</div>',
  '- ```\n<img src=x onerror=alert(1)>',
  '> ```\n<img src=x onerror=alert(1)>',
  '| ` | <img src=x onerror=alert(1)> ` |\n|---|---|\n',
  '`\n\n<img src=x onerror=alert(1)>\n\n`',
  '\\`<img src=x onerror=alert(1)>`',
  '<p\n\n onclick=alert(1)>x',
  '<a\nhref="java\nscript:alert(1)">x</a>',
  '*<img src=x onerror=alert(1)>*',
  '# <img src=x onerror=alert(1)>',
]
const payloads = [
  ...oddPayloads,
  ...handlers.map((name) => `<img src=x ${name}=${code}>`),
  ...handlers.map((name) => `<p ${name.toUpperCase()}="${code}">x</p>`),
  ...elements.map(
    (tag) => `<${tag} onload=${code} onerror=${code} src=javascript:${code} href=javascript:${code}>x</${tag}>`,
  ),
  ...schemes.map((url) => `<a href="${url}">x</a>`),
  ...schemes.map((url) => `<img src="${url}">`),
  ...schemes.map((url) => `<video poster="${url}" src="${url}"></video>`),
]

const allowed = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li strong b em i u s del ins sub sup small mark blockquote cite q code pre kbd samp var dl dt dd table thead tbody tfoot tr th td caption figure figcaption div span details summary abbr time a img video audio source'.split(
    ' ',
  ),
)
type Node = {
  nodeName: string
  tagName?: string
  attrs?: { name: string; value: string }[]
  childNodes?: Node[]
  content?: Node
}

/** The dangerous parts a browser would find in the text. */
function dangers(html: string): string[] {
  const found: string[] = []
  const look = (node: Node) => {
    if (node.tagName && !allowed.has(node.tagName)) found.push(`<${node.tagName}>`)
    for (const { name, value } of node.attrs ?? []) {
      if (/^on|^style$|^srcset$|^srcdoc$|^id$|^name$|^form|^ping$|^background$|^xlink|:/.test(name))
        found.push(`${name}=`)
      if (name === 'href' && !isSafeLink(value)) found.push(`href=${value}`)
      if (
        /^(src|poster)$/.test(name) &&
        !value.startsWith('/api/training/files/') &&
        !/^data:image\/(png|jpeg|gif|webp);base64,/.test(value)
      )
        found.push(`${name}=${value}`)
    }
    for (const child of node.childNodes ?? []) look(child)
    if (node.content) look(node.content)
  }
  look(parseFragment(html) as unknown as Node)
  return found
}

const isMedia = (address: string) => address.startsWith('/api/training/files/')
/** Markdown renderers show code as is; everything else must be harmless. */
const withoutCode = (text: string) => text.replace(/^(```)[\s\S]*?^\1\s*$/gm, '').replace(/`[^`\n|]+`/g, '')

describe('X1 the sanitizer', () => {
  it('is tested with payloads that are harmful', () => {
    expect(payloads.length).toBeGreaterThanOrEqual(200)
    expect(payloads.filter((payload) => dangers(payload).length > 0).length).toBeGreaterThan(150)
  })
  it.each(payloads)('leaves nothing dangerous in HTML of %j', (payload) => {
    for (const text of [
      payload,
      `Before ${payload} after`,
      `<p>${payload}</p>`,
      `**${payload}`,
      `[x](https://a.b) ${payload}`,
    ]) {
      const cleaned = cleanHtml(text, isMedia)
      expect(dangers(cleaned)).toEqual([])
      expect(cleanHtml(cleaned, isMedia)).toBe(cleaned)
    }
  })
  it.each(payloads)('leaves no tag in markdown of %j', (payload) => {
    for (const text of [payload, `Before ${payload} after`]) {
      const cleaned = escapeHtml(text)
      expect(withoutCode(cleaned)).not.toMatch(/<[a-z/!?](?!ttps?:|[\w.+-]*@)/i)
      expect(escapeHtml(cleaned)).toBe(cleaned)
    }
  })
  it('leaves what authors write unchanged', () => {
    const markdown =
      '# Hips\n\n> Breathe & hold\n\n- a < b\n- 3 > 2\n\n<https://a.example> `<b>`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    expect(escapeHtml(markdown)).toBe(markdown)
    const html =
      '<p class="note">Hold <strong>30</strong> s &amp; breathe</p>\n\n> quote\n\n![x](/api/training/files/a.png)'
    expect(cleanHtml(html, isMedia)).toBe(html)
    const video = '<video src="/api/training/files/a.mp4" controls></video>'
    expect(cleanHtml(video, isMedia)).toBe(video)
  })
  // Markdown reads two backslashes as one, which makes this a path on this site.
  it.each(schemes.filter((url) => !/[\n\t \\]/.test(url)))('finds the bad markdown link %j', (url) => {
    expect(findBadLink(`[x](${url})`)).toBeDefined()
    expect(findBadLink(`![x](<${url}>)`)).toBeDefined()
  })
  it('accepts good links', () => {
    const good =
      '[a](https://a.example) [b](mailto:a@b.c) [c](tel:+1) [d](#x) [e](/api/x "t") ![f](data:image/png;base64,AAAA)\n\n[Tip]: Warning: hold'
    expect(findBadLink(good)).toBeUndefined()
  })
  it('handles a hostile text of maximum length quickly', () => {
    for (const text of ['<', '[', '`', '<a ', '![](', '&#', '<!--', '`a', '](', '<p title="']) {
      const long = text.repeat(Math.floor(200_000 / text.length))
      const { user } = process.cpuUsage()
      cleanHtml(long, isMedia)
      escapeHtml(long)
      findBadLink(long)
      expect((process.cpuUsage().user - user) / 1000).toBeLessThan(3000)
    }
  })
})

describe('saved lessons', () => {
  let server: TestServer
  let author: TestCaller
  beforeAll(async () => {
    server = await startTestServer()
    author = server.as('training.manage')
    await makeModule(server.db, { course_id: (await makeCourse(server.db, { course_key: 'c' })).id, module_key: 'm' })
  })
  afterAll(() => server.stop())
  const hostile = `Hello <img src=x onerror=${code}> <script>${code}</script> <b onclick=${code}>there</b>`
  const sinks: [string, string, object, RegExp][] = [
    [
      'rich text',
      'text',
      { trainingLessonContent: hostile, formatting: 'rich_text', allowHtml: true },
      /Hello <img>\s+<b>there<\/b>/,
    ],
    ['rich text without HTML', 'text', { trainingLessonContent: hostile, formatting: 'rich_text' }, /&lt;script>/],
    ['markdown', 'text', { trainingLessonContent: hostile }, /Hello &lt;img/],
    ['a transcript', 'audio', { transcript: hostile }, /Hello <img>\s+<b>there<\/b>/],
    [
      'mixed text',
      'mixed',
      { components: [{ type: 'text', content: { trainingMixedComponentText: hostile } }] },
      /Hello &lt;img/,
    ],
    [
      'mixed rich text',
      'mixed',
      {
        components: [
          { type: 'text', content: { trainingMixedComponentText: hostile, formatting: 'rich_text', allowHtml: true } },
        ],
      },
      /Hello <img>/,
    ],
    [
      'a mixed transcript',
      'mixed',
      { components: [{ type: 'audio', content: { transcript: hostile } }] },
      /Hello <img>/,
    ],
  ]
  it.each(sinks)('are sanitized on create and on update: %s', async (name, content_type, content_data, expected) => {
    const body = { course_key: 'c', module_key: 'm', lesson_key: name, title: name, content_type }
    const made = await author.send(createLesson, { body: { ...body, content_data } as never })
    expect(made.status, made.text).toBe(200)
    const empty = await author.send(createLesson, { body: { ...body, lesson_key: `${name} 2` } as never })
    const changed = await author.send(putLesson, {
      params: { id: String(empty.body.data.id) },
      body: { ...empty.body.data, content_data } as never,
    })
    for (const reply of [made, changed]) {
      const text = JSON.stringify(reply.body.data.content_data).replaceAll('\\"', '"')
      expect(text).toMatch(expected)
      expect(text).not.toMatch(/<script|<[^>]*onerror|<[^>]*onclick/)
    }
  })
  it('keep plain text, titles, descriptions and quizzes as typed: they are never rendered as HTML', async () => {
    const plain = '<b>bold</b> & "quoted"'
    const body = {
      course_key: 'c',
      module_key: 'm',
      lesson_key: 'plain',
      title: plain,
      description: plain,
      content_type: 'text',
    }
    const reply = await author.send(createLesson, {
      body: { ...body, content_data: { trainingLessonContent: plain, formatting: 'plain' } } as never,
    })
    expect(reply.body.data).toMatchObject({ description: plain, content_data: { trainingLessonContent: plain } })
    const question = { id: '1', trainingQuizQuestion: plain, options: [plain, 'b'], trainingQuizExplanation: plain }
    const quiz = await author.send(createLesson, {
      body: { ...body, lesson_key: 'quiz', content_type: 'quiz', content_data: { questions: [question] } } as never,
    })
    expect(quiz.body.data.content_data).toMatchObject({ questions: [question] })
  })
})
