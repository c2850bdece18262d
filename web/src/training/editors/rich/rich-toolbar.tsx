import { Button, Menu, Popover, TextInput } from '@mantine/core'
import { IconLink, IconTable } from '@tabler/icons-react'
import { toggleMark } from 'prosemirror-commands'
import type { MarkType } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { type ReactNode, useState } from 'react'
import { useLayer } from '#ui/dialog/layers.ts'
import { MenuChoice } from '#ui/dialog/menu-choice.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { Tool, Toolbar } from '../toolbar.tsx'
import styles from './rich.module.css'
import { isMarked, type RichTool, richHistoryTools, richTableTools, richTagTools, richTools } from './rich-tools.ts'

interface Props {
  view: EditorView | undefined
  /** The state at the cursor. */
  state: EditorState | undefined
  hasHtml: boolean
  children: ReactNode
}

/** Formatting tools for the selection; active formats are shown as pressed. */
export function RichToolbar({ view, state, hasHtml, children }: Props) {
  const draw = ({ name, icon, run, isOn }: RichTool) => (
    <Tool
      key={name}
      name={name}
      icon={icon}
      {...(isOn && state ? { isOn: isOn(state) } : {})}
      isDisabled={!state || !run(state)}
      onRun={() => {
        if (!view) return
        run(view.state, view.dispatch)
        view.focus()
      }}
    />
  )
  return (
    <Toolbar end={children}>
      {[...richTools, ...(hasHtml ? richTagTools : [])].map(draw)}
      <LinkTool view={view} state={state} />
      <TableTools view={view} state={state} />
      {richHistoryTools.map(draw)}
    </Toolbar>
  )
}

/** Table, row and column tools; unavailable ones are disabled. */
function TableTools({ view, state }: Pick<Props, 'view' | 'state'>) {
  const [isOpen, setOpen] = useState(false)
  useLayer(isOpen, () => setOpen(false))
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" withinPortal returnFocus={false}>
      <Menu.Target>
        <Tool
          name="Table"
          icon={IconTable}
          isOn={state !== undefined && isInTable(state)}
          isDisabled={!state}
          onRun={() => setOpen(!isOpen)}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {richTableTools.map(({ name, icon, run }) => (
          <MenuChoice
            key={name}
            leftSection={<Icon of={icon} />}
            isDisabled={!state || !run(state)}
            onClick={() => {
              if (!view) return
              run(view.state, view.dispatch)
              view.focus()
            }}
          >
            {name}
          </MenuChoice>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const address = /^(https?:\/\/|mailto:|tel:|#|\/(?!\/))\S+$/i

/** Adds a link to the selection, or removes it. */
function LinkTool({ view, state }: Pick<Props, 'view' | 'state'>) {
  const [isOpen, setOpen] = useState(false)
  const [href, setHref] = useState('https://')
  useLayer(isOpen, () => setOpen(false))
  const isLink = state !== undefined && isMarked(state, 'link')
  const apply = () => {
    if (!view || !address.test(href)) return
    const { schema, selection, tr } = view.state
    const type = schema.marks.link as MarkType
    // Without a selection, the link shows its URL.
    if (selection.empty) view.dispatch(tr.insert(selection.from, schema.text(href, [type.create({ href })])))
    else toggleMark(type, { href })(view.state, view.dispatch)
    setOpen(false)
    view.focus()
  }
  const press = () => {
    if (!view) return
    if (!isLink) return setOpen(!isOpen)
    toggleMark(view.state.schema.marks.link as MarkType)(view.state, view.dispatch)
    view.focus()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <Tool name={isLink ? 'Remove link' : 'Link'} icon={IconLink} isOn={isLink} isDisabled={!state} onRun={press} />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles.link}>
          <TextInput
            label="URL"
            data-autofocus
            value={href}
            maxLength={2000}
            error={href.length > 8 && !address.test(href) && 'Start with https://, mailto: or tel:'}
            onChange={(event) => setHref(event.currentTarget.value.trim())}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              apply()
            }}
          />
          <Button size="xs" disabled={!address.test(href)} onClick={apply}>
            Add link
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
