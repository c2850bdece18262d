import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType, NodeType, Schema } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { addRowAfter, goToNextCell, isInTable, tableEditing } from 'prosemirror-tables'

/** A cell is a single line: Enter adds a row. */
const enterInTable: Command = (state, dispatch) => isInTable(state) && addRowAfter(state, dispatch)

const insertBreak: Command = (state, dispatch) => {
  if (isInTable(state)) return true
  const type = state.schema.nodes.hard_break as NodeType
  dispatch?.(state.tr.replaceSelectionWith(type.create()).scrollIntoView())
  return true
}

/** Key bindings, markdown shortcuts, tables and undo history. */
export function richPlugins(schema: Schema): Plugin[] {
  const node = (name: string) => schema.nodes[name] as NodeType
  const mark = (name: string) => schema.marks[name] as MarkType
  const item = node('list_item')
  return [
    inputRules({
      rules: [
        wrappingInputRule(/^\s*>\s$/, node('blockquote')),
        wrappingInputRule(/^\s*([-+*])\s$/, node('bullet_list')),
        wrappingInputRule(/^(\d+)\.\s$/, node('ordered_list'), ([, first]) => ({ order: Number(first) })),
        textblockTypeInputRule(/^(#{1,6})\s$/, node('heading'), ([, signs = '#']) => ({ level: signs.length })),
        textblockTypeInputRule(/^```$/, node('code_block')),
      ],
    }),
    keymap({
      'Mod-z': undo,
      'Mod-y': redo,
      'Shift-Mod-z': redo,
      'Mod-b': toggleMark(mark('strong')),
      'Mod-i': toggleMark(mark('em')),
      Enter: chainCommands(enterInTable, splitListItem(item)),
      'Shift-Enter': chainCommands(exitCode, insertBreak),
      // Tab works inside lists and tables. Elsewhere it leaves the field, as in every field.
      Tab: chainCommands(goToNextCell(1), sinkListItem(item)),
      'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(item)),
    }),
    keymap(baseKeymap),
    history(),
    tableEditing(),
  ]
}
