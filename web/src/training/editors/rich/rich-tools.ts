import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconCode,
  IconColumnInsertRight,
  IconColumnRemove,
  IconH2,
  IconH3,
  IconHighlight,
  IconItalic,
  IconLine,
  IconList,
  IconListNumbers,
  IconRowInsertBottom,
  IconRowRemove,
  IconStrikethrough,
  IconSubscript,
  IconSuperscript,
  IconTable,
  IconTableOff,
  IconUnderline,
} from '@tabler/icons-react'
import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { Attrs, MarkType, NodeType, Schema } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from 'prosemirror-tables'

export interface RichTool {
  name: string
  icon: typeof IconBold
  run: Command
  /** Whether the mark is active at the cursor. */
  isOn?: (state: EditorState) => boolean
}

const nodeOf = (schema: Schema, name: string) => schema.nodes[name] as NodeType
const markOf = (schema: Schema, name: string) => schema.marks[name] as MarkType

function isWithin({ selection: { $from } }: EditorState, name: string, attrs: Attrs = {}): boolean {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type.name === name && Object.entries(attrs).every(([key, value]) => node.attrs[key] === value)) return true
  }
  return false
}

export function isMarked(state: EditorState, name: string): boolean {
  const type = markOf(state.schema, name)
  const { from, to, empty, $from } = state.selection
  return empty ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined : state.doc.rangeHasMark(from, to, type)
}

const mark = (name: string, title: string, icon: RichTool['icon']): RichTool => ({
  name: title,
  icon,
  run: (state, dispatch) => toggleMark(markOf(state.schema, name))(state, dispatch),
  isOn: (state) => isMarked(state, name),
})

const heading = (level: number, title: string, icon: RichTool['icon']): RichTool => {
  const isOn = (state: EditorState) => isWithin(state, 'heading', { level })
  return {
    name: title,
    icon,
    isOn,
    run: (state, dispatch) =>
      (isOn(state)
        ? setBlockType(nodeOf(state.schema, 'paragraph'))
        : setBlockType(nodeOf(state.schema, 'heading'), { level }))(state, dispatch),
  }
}

const list = (name: string, title: string, icon: RichTool['icon']): RichTool => {
  const isOn = (state: EditorState) => isWithin(state, name)
  return {
    name: title,
    icon,
    isOn,
    run: (state, dispatch) =>
      (isOn(state) ? liftListItem(nodeOf(state.schema, 'list_item')) : wrapInList(nodeOf(state.schema, name)))(
        state,
        dispatch,
      ),
  }
}

const quote: RichTool = {
  name: 'Quote',
  icon: IconBlockquote,
  isOn: (state) => isWithin(state, 'blockquote'),
  run: (state, dispatch) =>
    (isWithin(state, 'blockquote') ? lift : wrapIn(nodeOf(state.schema, 'blockquote')))(state, dispatch),
}

/** A table with two columns, a header and one row. */
const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false
  const { schema } = state
  const row = (name: string) =>
    nodeOf(schema, 'table_row').create(null, [nodeOf(schema, name).create(), nodeOf(schema, name).create()])
  const table = nodeOf(schema, 'table').create(null, [row('table_header'), row('table_cell')])
  dispatch?.(state.tr.replaceSelectionWith(table).scrollIntoView())
  return true
}

const insertLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeOf(state.schema, 'horizontal_rule').create()).scrollIntoView())
  return true
}

export const richTools: readonly RichTool[] = [
  heading(2, 'Heading', IconH2),
  heading(3, 'Subheading', IconH3),
  mark('strong', 'Bold', IconBold),
  mark('em', 'Italic', IconItalic),
  mark('s', 'Strikethrough', IconStrikethrough),
  list('bullet_list', 'List', IconList),
  list('ordered_list', 'Numbered list', IconListNumbers),
  quote,
  mark('code', 'Code', IconCode),
  { name: 'Horizontal line', icon: IconLine, run: insertLine },
]

export const richTagTools: readonly RichTool[] = [
  mark('u', 'Underline', IconUnderline),
  mark('mark', 'Highlight', IconHighlight),
  mark('sub', 'Subscript', IconSubscript),
  mark('sup', 'Superscript', IconSuperscript),
]

export const richTableTools: readonly RichTool[] = [
  { name: 'Insert table', icon: IconTable, run: insertTable },
  { name: 'Add row', icon: IconRowInsertBottom, run: addRowAfter },
  { name: 'Add column', icon: IconColumnInsertRight, run: addColumnAfter },
  { name: 'Delete row', icon: IconRowRemove, run: deleteRow },
  { name: 'Delete column', icon: IconColumnRemove, run: deleteColumn },
  { name: 'Delete table', icon: IconTableOff, run: deleteTable },
]

export const richHistoryTools: readonly RichTool[] = [
  { name: 'Undo', icon: IconArrowBackUp, run: undo },
  { name: 'Redo', icon: IconArrowForwardUp, run: redo },
]
