import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, isMachine, isMutation } from '@limber/contract/kit/call.ts'
import { type Undo, undoList } from './undo-list.ts'

export const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`

/** The calls with which people change something. */
export const peoplesChanges = calls.filter((call) => isMutation(call) && !isMachine(call))

const titles = {
  history: 'Undone from the message and the history',
  own: 'Undone in its own way',
  nothing: 'Not undone',
}

const detailOf = (undo: Undo) =>
  undo.by === 'history' ? (undo.when ?? 'While it is as the change left it.') : undo.by === 'own' ? undo.how : undo.why

function section(by: Undo['by']): string {
  const rows = peoplesChanges
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
    .flatMap((call) => {
      const undo = undoList.get(nameOf(call))
      return undo?.by === by ? [`| \`${nameOf(call)}\` | ${call.summary} | ${detailOf(undo)} |`] : []
    })
  const heads = { history: 'When', own: 'How', nothing: 'Why not' }
  return `## ${titles[by]} (${rows.length})\n\n| Call | Change | ${heads[by]} |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** `docs/undo.md`. */
export const undoTable = () => `# Undo

How each change that people make is undone. This page is made from \`server/src/undo-list.ts\` by \`npm run undo -- --write\`; a
test compares it with the calls, and makes and undoes every change of the first table.

- **In the message:** Undo stays for ten seconds, and undoes all that the request changed (\`POST /api/history/undo\`).
- **In the history:** a value is restored, or an action undone by its opposite, at any time while the record is as the change
  left it.
- Both are new changes with their own history, by the call that changes the record: its permission and its rules hold.
- Programs are not listed. They send the state before again.

${section('history')}
${section('own')}
${section('nothing')}`
