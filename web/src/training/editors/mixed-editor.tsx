import {
  type ComponentType,
  type ContentOf,
  defaultContent,
  type MixedComponent,
  MixedComponent as MixedSchema,
} from '@limber/contract/training/lessons/content.ts'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { isSame } from '#ui/form/use-versioned-save.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { DragHandle, MoveAnnouncement } from '../courses/drag-handle.tsx'
import { moveItem, useReorder } from '../courses/use-reorder.ts'
import { typeNames } from '../labels.ts'
import { nextId } from '../lessons/next-id.ts'
import { QuizFields } from '../quiz/quiz-fields.tsx'
import { AudioFields } from './audio-editor.tsx'
import { useEditing } from './editor-context.ts'
import styles from './editors.module.css'
import { FormattedTextEditor } from './formatted-text.tsx'
import { StyleEditor } from './style-editor.tsx'
import { VideoFields } from './video-editor.tsx'

type Mixed = ContentOf<'mixed'>
const kinds: readonly ComponentType[] = ['text', 'video', 'audio', 'quiz']

/** Renumbers the components by position; each keeps its id. */
const renumbered = (components: readonly MixedComponent[]): MixedComponent[] =>
  components.map((component, order) => ({ ...component, id: component.id ?? nextId(), order }))

const blank = (type: MixedComponent['type'], order: number) => MixedSchema.parse({ type, order })
const isBlank = ({ type, order, content }: MixedComponent) => isSame(content, blank(type, order).content)

/** The editor of a mixed lesson. */
export default function MixedEditor({ content, onChange }: { content: Mixed; onChange: (content: Mixed) => void }) {
  const { components } = content
  const { sought } = useEditing()
  const set = (next: readonly MixedComponent[]) => onChange({ ...content, components: renumbered(next) })
  const remove = async (component: MixedComponent, place: number) => {
    const question = {
      title: `Remove ${typeNames[component.type].toLowerCase()} ${place + 1}?`,
      body: 'Its content will be deleted.',
      action: 'Remove',
      isDestructive: true,
    }
    if (isBlank(component) || (await confirm(question))) set(components.filter((_, at) => at !== place))
  }
  const reorder = useReorder(components.length, (from, to) => set(moveItem(components, from, to)))
  return (
    <div className={styles.stack}>
      <div className={styles.pair}>
        <NativeSelect
          label="Layout"
          value={content.layout}
          data={[
            { value: 'sequential', label: 'Stacked' },
            { value: 'tabs', label: 'Tabs' },
          ]}
          onChange={(event) => onChange({ ...content, layout: event.currentTarget.value as Mixed['layout'] })}
        />
        <NativeSelect
          label="Navigation"
          value={content.navigation}
          data={[
            { value: 'linear', label: 'In order' },
            { value: 'free', label: 'Free' },
          ]}
          onChange={(event) => onChange({ ...content, navigation: event.currentTarget.value as Mixed['navigation'] })}
        />
      </div>
      {components.length === 0 && <p className={styles.none}>No components added to this mixed content lesson yet.</p>}
      <ol className={styles.stack} aria-label="Components" ref={reorder.list as RefObject<HTMLOListElement | null>}>
        {components.map((component, place) => {
          const name = `${typeNames[component.type]} ${place + 1}`
          return (
            <li key={component.id ?? `at ${place}`} className={styles.component} {...reorder.rowOf(place)}>
              <div className={styles.componentHead}>
                <DragHandle reorder={reorder} place={place} name={name} />
                <strong>{`${place + 1}. ${typeNames[component.type]}`}</strong>
                <ActionIcon size={28} aria-label={`Remove ${name}`} onClick={() => void remove(component, place)}>
                  <Icon of={IconTrash} />
                </ActionIcon>
              </div>
              <ComponentEditor
                component={component}
                sought={sought?.part === place + 1 ? sought : undefined}
                onChange={(next) => set(components.map((one, at) => (at === place ? next : one)))}
              />
            </li>
          )
        })}
      </ol>
      <MoveAnnouncement reorder={reorder} />
      <fieldset className={styles.adders} aria-label="Add component">
        {kinds.map((type) => (
          <Button
            key={type}
            variant="default"
            size="xs"
            leftSection={<Icon of={IconPlus} size={14} />}
            onClick={() => set([...components, blank(type, components.length)])}
          >
            {`Add ${typeNames[type].toLowerCase()}`}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

function ComponentEditor({
  component,
  sought,
  onChange,
}: {
  component: MixedComponent
  sought: { question: string } | undefined
  onChange: (next: MixedComponent) => void
}) {
  switch (component.type) {
    case 'text': {
      const {
        trainingMixedComponentText: text = '',
        formatting = 'markdown',
        allowHtml = false,
        customCSS = '',
      } = component.content
      const content = { trainingMixedComponentText: text, formatting, allowHtml, customCSS }
      return (
        <>
          <FormattedTextEditor
            label="Text"
            value={{ text, formatting, allowHtml }}
            styleText={customCSS}
            onChange={({ text: next = text, ...rest }) =>
              onChange({ ...component, content: { ...content, ...rest, trainingMixedComponentText: next } })
            }
          />
          <StyleEditor
            label="Component CSS"
            value={customCSS}
            onChange={(next) => onChange({ ...component, content: { ...content, customCSS: next } })}
          />
        </>
      )
    }
    case 'video':
      return <VideoFields content={component.content} onChange={(content) => onChange({ ...component, content })} />
    case 'audio':
      return <AudioFields content={component.content} onChange={(content) => onChange({ ...component, content })} />
    case 'quiz':
      return (
        <QuizFields
          isMixed
          sought={sought}
          quiz={{ ...defaultContent('quiz'), ...component.content }}
          onChange={(content) => onChange({ ...component, content })}
        />
      )
  }
}
