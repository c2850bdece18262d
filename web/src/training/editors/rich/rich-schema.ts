import { schema as base } from 'prosemirror-markdown'
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { tableNodes } from 'prosemirror-tables'
import { isShownFile } from '../../preview/render-markup.ts'

/** Marks that markdown has no signs for: they stand as tags, where a text may hold HTML. */
export const tagMarks = ['u', 'mark', 'sub', 'sup'] as const

const tagMark = (tag: string): MarkSpec => ({ parseDOM: [{ tag }], toDOM: () => [tag, 0] })

const image: NodeSpec = {
  ...base.spec.nodes.get('image'),
  // What may not be shown in a lesson is not fetched while it is written either.
  toDOM: ({ attrs }) => ['img', { ...attrs, src: isShownFile(String(attrs.src), 'img') ? attrs.src : undefined }],
}

const player: NodeSpec = {
  inline: true,
  group: 'inline',
  atom: true,
  draggable: true,
  attrs: { tag: {}, src: {} },
  parseDOM: ['video[src]', 'audio[src]'].map((tag) => ({
    tag,
    getAttrs: (element: HTMLElement) => ({ tag: element.localName, src: element.getAttribute('src') }),
  })),
  toDOM: ({ attrs: { tag, src } }) => [
    String(tag),
    { controls: '', src: isShownFile(String(src), String(tag)) ? String(src) : undefined },
  ],
}

// Lists that are begun here are tight: no paragraphs between their lines.
const tight = (name: string, attrs: NodeSpec['attrs'], tag: string): NodeSpec => ({
  ...base.spec.nodes.get(name),
  attrs: { ...attrs, tight: { default: true } },
  parseDOM: [{ tag }],
})

function makeSchema(hasHtml: boolean): Schema {
  const nodes = base.spec.nodes
    .update('image', image)
    .update('bullet_list', tight('bullet_list', {}, 'ul'))
    .update('ordered_list', tight('ordered_list', { order: { default: 1 } }, 'ol'))
    .append(tableNodes({ tableGroup: 'block', cellContent: 'inline*', cellAttributes: {} }) as Record<string, NodeSpec>)
  const strike: MarkSpec = { parseDOM: [{ tag: 's' }, { tag: 'del' }], toDOM: () => ['s', 0] }
  const marks = base.spec.marks.addToEnd('s', strike)
  if (!hasHtml) return new Schema({ nodes, marks })
  const tags = Object.fromEntries(tagMarks.map((tag) => [tag, tagMark(tag)]))
  return new Schema({ nodes: nodes.addToEnd('player', player), marks: marks.append(tags) })
}

/** What a text may hold that is edited as it looks; with the tags of a text that allows HTML. */
export const richSchemas = { plain: makeSchema(false), html: makeSchema(true) }
