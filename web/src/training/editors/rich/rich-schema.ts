import { schema as base } from 'prosemirror-markdown'
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { tableNodes } from 'prosemirror-tables'
import { isShownFile } from '../../preview/render-markup.ts'

/** Marks without markdown syntax. They are written as tags, where HTML is allowed. */
export const tagMarks = ['u', 'mark', 'sub', 'sup'] as const

const tagMark = (tag: string): MarkSpec => ({ parseDOM: [{ tag }], toDOM: () => [tag, 0] })

const image: NodeSpec = {
  ...base.spec.nodes.get('image'),
  // Media that a lesson may not show is not loaded in the editor either.
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

// New lists are tight: no paragraphs between their items.
const tightList = (name: string, attrs: NodeSpec['attrs'], tag: string): NodeSpec => ({
  ...base.spec.nodes.get(name),
  attrs: { ...attrs, tight: { default: true } },
  parseDOM: [{ tag }],
})

function makeSchema(hasHtml: boolean): Schema {
  const nodes = base.spec.nodes
    .update('image', image)
    .update('bullet_list', tightList('bullet_list', {}, 'ul'))
    .update('ordered_list', tightList('ordered_list', { order: { default: 1 } }, 'ol'))
    .append(tableNodes({ tableGroup: 'block', cellContent: 'inline*', cellAttributes: {} }) as Record<string, NodeSpec>)
  const strike: MarkSpec = { parseDOM: [{ tag: 's' }, { tag: 'del' }], toDOM: () => ['s', 0] }
  const marks = base.spec.marks.addToEnd('s', strike)
  if (!hasHtml) return new Schema({ nodes, marks })
  const tags = Object.fromEntries(tagMarks.map((tag) => [tag, tagMark(tag)]))
  return new Schema({ nodes: nodes.addToEnd('player', player), marks: marks.append(tags) })
}

/** The document schemas of the visual editor, without and with HTML tags. */
export const richSchemas = { plain: makeSchema(false), html: makeSchema(true) }
