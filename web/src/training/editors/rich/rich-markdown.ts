import MarkdownIt from 'markdown-it'
import {
  defaultMarkdownParser,
  defaultMarkdownSerializer,
  MarkdownParser,
  MarkdownSerializer,
  type MarkdownSerializerState,
} from 'prosemirror-markdown'
import type { Node, Schema } from 'prosemirror-model'
import { renderMarkup } from '../../preview/render-markup.ts'
import { richSchemas, tagMarks } from './rich-schema.ts'

type Rule = Parameters<MarkdownIt['core']['ruler']['push']>[1]
type Core = Parameters<Rule>[0]
type Token = Core['tokens'][number]

const tag = /^<(\/?)([a-z]+)(?:\s[^>]*?)?>$/
const source = /\ssrc="([^"]*)"/

/** Turns the tags the schema supports into marks and players. All other tags stay unparsed. */
function parseTags({ tokens, Token }: Core): void {
  for (const line of tokens) {
    const known: Token[] = []
    for (const token of line.children ?? []) {
      const [, isEnd, name = ''] = (token.type === 'html_inline' && tag.exec(token.content)) || []
      const isMark = (tagMarks as readonly string[]).includes(name)
      if (isMark) known.push(new Token(`${name}_${isEnd ? 'close' : 'open'}`, name, isEnd ? -1 : 1))
      else if ((name === 'video' || name === 'audio') && !isEnd) {
        const player = new Token('player', name, 0)
        player.attrSet('src', source.exec(token.content)?.[1] ?? '')
        known.push(player)
      } else if (!(known.at(-1)?.type === 'player' && isEnd)) known.push(token)
    }
    if (line.children) line.children = known
  }
}

function parserOf(schema: Schema, hasHtml: boolean): MarkdownParser {
  const reader = new MarkdownIt('default', { html: hasHtml })
  reader.core.ruler.push('parse_tags', parseTags)
  return new MarkdownParser(schema, reader, {
    ...defaultMarkdownParser.tokens,
    s: { mark: 's' },
    table: { block: 'table' },
    thead: { ignore: true },
    tbody: { ignore: true },
    tr: { block: 'table_row' },
    th: { block: 'table_header' },
    td: { block: 'table_cell' },
    ...(hasHtml && {
      ...Object.fromEntries(tagMarks.map((name) => [name, { mark: name }])),
      player: { node: 'player', getAttrs: (token: Token) => ({ tag: token.tag, src: token.attrGet('src') }) },
    }),
  })
}

/** Escapes text so that it never turns into a tag or an entity. */
const escapeText = (text: string) => text.replace(/&(?=#?\w+;)/g, '&amp;').replace(/</g, '&lt;')

function writeTable(state: MarkdownSerializerState, table: Node): void {
  table.forEach((row, _, place) => {
    row.forEach((cell, __, column) => {
      state.write(column === 0 ? '| ' : ' | ')
      state.renderInline(cell, false)
    })
    state.write(' |')
    state.ensureNewLine()
    if (place > 0) return
    state.write(`|${' --- |'.repeat(row.childCount)}`)
    state.ensureNewLine()
  })
  state.closeBlock(table)
}

const { nodes, marks } = defaultMarkdownSerializer
const isCell = (node: Node) => node.type.name === 'table_cell' || node.type.name === 'table_header'

const writer = new MarkdownSerializer(
  {
    ...nodes,
    bullet_list: (state, node) => state.renderList(node, '  ', () => '- '),
    table: writeTable,
    // A table row is a single line.
    hard_break: (state, node, parent, index) =>
      isCell(parent) ? state.write(' ') : nodes.hard_break?.(state, node, parent, index),
    text: (state, node) => state.text(escapeText(node.text ?? '')),
    player: (state, { attrs }) => state.write(`<${attrs.tag} src="${attrs.src}" controls></${attrs.tag}>`),
  },
  {
    ...marks,
    s: { open: '~~', close: '~~', mixable: true, expelEnclosingWhitespace: true },
    ...Object.fromEntries(
      tagMarks.map((name) => [name, { open: `<${name}>`, close: `</${name}>`, mixable: true }] as const),
    ),
  },
  { escapeExtraCharacters: /\|/g },
)

const parsers = {
  plain: parserOf(richSchemas.plain, false),
  html: parserOf(richSchemas.html, true),
}

/** Serializes a document to markdown. */
export const serializeRich = (doc: Node): string => writer.serialize(doc)

const rendered = (text: string, allowHtml: boolean) =>
  renderMarkup({ text, formatting: 'rich_text', allowHtml }).replace(/\s+/g, ' ').replaceAll('> <', '><').trim()

/** Parses markdown into a document; undefined if the text would look different after a round trip. */
export function parseRich(text: string, hasHtml: boolean): Node | undefined {
  try {
    const doc = parsers[hasHtml ? 'html' : 'plain'].parse(text)
    return rendered(serializeRich(doc), hasHtml) === rendered(text, hasHtml) ? doc : undefined
  } catch {
    // The text contains a token the schema does not support.
    return undefined
  }
}
