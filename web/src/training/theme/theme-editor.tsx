import type { Course } from '@limber/contract/training/courses/course.ts'
import { completeTheme, defaultTheme, type Theme, themeProblem } from '@limber/contract/training/theme/theme.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { wordsOf } from '#platform/api/api.ts'
import { CallFailure, isStale } from '#platform/api/call-failure.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { TabBar, TabPanel } from '#ui/layout/tab-bar.tsx'
import { AdvancedTab } from './advanced-tab.tsx'
import { SimpleTab } from './simple-tab.tsx'
import { TemplatesTab } from './templates-tab.tsx'
import styles from './theme.module.css'
import { ThemePreview } from './theme-preview.tsx'
import { useThemeSave } from './use-theme-save.tsx'

type Tab = 'Simple' | 'Templates' | 'Advanced' | 'Preview'
const tabs = (['Simple', 'Templates', 'Advanced', 'Preview'] as const).map((tab) => ({ tab, title: tab }))

/** Did the server say why? */
const isFromServer = (error: unknown) =>
  error instanceof CallFailure && error.status > 0 && !/^(status_|not_json)/.test(error.code)

interface Props {
  course: Course
  onClose: () => void
}

/** How a course looks: colours, font and corners, a template, or CSS of one's own. */
export default function ThemeEditor({ course, onClose }: Props) {
  // What others save meanwhile is not what the person began with.
  const [base] = useState(course)
  const saved = completeTheme(base.metadata.theme)
  const [theme, setTheme] = useState<Theme>(saved)
  const [resets, setResets] = useState(0)
  const [tab, setTab] = useState<Tab>('Simple')
  const [problem, setProblem] = useState<string>()
  const { save, isSaving, conflict } = useThemeSave(base, onClose)
  const isChanged = JSON.stringify(theme) !== JSON.stringify(saved)
  const isDefault = JSON.stringify(theme) === JSON.stringify(defaultTheme)
  const fault = themeProblem(theme)

  const close = async () => {
    const question = {
      title: 'Discard the changes of the theme?',
      action: 'Discard',
      cancel: 'Keep editing',
      isDestructive: true,
    }
    if (!isSaving && (!isChanged || (await confirm(question)))) onClose()
  }
  const reset = async () => {
    const question = {
      title: 'Return to the default theme?',
      body: 'It replaces all values of the theme; your custom CSS is cleared.',
      action: 'Reset',
      isDestructive: true,
    }
    if (theme.customCSS.trim() !== '' && !(await confirm(question))) return
    setTheme(defaultTheme)
    setResets((count) => count + 1)
  }
  const submit = async () => {
    setProblem(undefined)
    try {
      await save(theme)
    } catch (error) {
      // Of two versions the person chooses in a dialog of its own.
      if (!isStale(error)) setProblem(isFromServer(error) ? wordsOf(error) : 'Failed to save theme')
    }
  }
  const panels: Record<Tab, ReactNode> = {
    // Begun anew by Reset: a font that was going to be typed is no longer wanted.
    Simple: <SimpleTab key={resets} theme={theme} onChange={setTheme} />,
    Templates: <TemplatesTab theme={theme} onChange={setTheme} />,
    Advanced: <AdvancedTab theme={theme} onChange={setTheme} />,
    Preview: null,
  }
  const foot = (
    <>
      {/* It keeps the focus when there is nothing left to reset. */}
      <Button
        className={styles.reset ?? ''}
        variant="subtle"
        color="gray"
        {...(isDefault && { 'aria-disabled': true, 'data-disabled': true })}
        onClick={() => void reset()}
      >
        Reset
      </Button>
      <Button variant="default" onClick={() => void close()}>
        Cancel
      </Button>
      <Button loading={isSaving} disabled={fault !== undefined} onClick={() => void submit()}>
        Save Theme
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={() => void close()} title="Course Theme" context={course.title} size={1080} foot={foot}>
      <TabBar id="theme" label="Theme" tab={tab} entries={tabs} onOpen={setTab} reaches="dialog" />
      {problem && (
        <Banner kind="red" onDismiss={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
      <TabPanel id="theme" tab={tab}>
        <div className={styles.split} data-tab={tab}>
          <div className={styles.panel}>
            {panels[tab] ?? <ThemePreview course={course} theme={theme} height={460} />}
          </div>
          {tab !== 'Preview' && (
            <aside className={styles.aside} aria-label="Preview beside">
              <ThemePreview course={course} theme={theme} height={420} />
            </aside>
          )}
        </div>
      </TabPanel>
      {conflict}
    </Dialog>
  )
}
