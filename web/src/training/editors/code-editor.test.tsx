import type { EditorView } from '@codemirror/view'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { CodeEditor } from './code-editor.tsx'

afterEach(cleanup)

/** An editor inside a page that is slow to pass back what was typed. */
function open() {
  const told: string[] = []
  let view: EditorView | undefined
  const editor = (value: string) => (
    <CodeEditor
      label="Custom CSS"
      language="css"
      value={value}
      onChange={(text) => told.push(text)}
      onReady={(ready) => {
        view = ready
      }}
    />
  )
  const { rerender } = render(editor(''))
  const type = (text: string) => view?.dispatch(view.state.replaceSelection(text))
  const shown = () => screen.getByRole('textbox', { name: 'Custom CSS' }).textContent
  return { told, type, shown, give: (value: string) => rerender(editor(value)) }
}

it('keeps what was typed while the page was still processing earlier input', () => {
  const { told, type, shown, give } = open()
  type('a')
  type('b')
  expect(told).toEqual(['a', 'ab'])
  give('a')
  expect(shown()).toBe('ab')
  give('ab')
  expect([shown(), told.length]).toEqual(['ab', 2])
})

it('accepts a value set from outside', () => {
  const { type, shown, give } = open()
  type('a')
  give('a')
  give('template')
  expect(shown()).toBe('template')
  give('a')
  expect(shown()).toBe('a')
})
