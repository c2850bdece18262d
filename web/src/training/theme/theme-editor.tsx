import type { Course } from '@limber/contract/training/courses/course.ts'
import { completeTheme, defaultTheme, type Theme, themeProblem } from '@limber/contract/training/theme/theme.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
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

/** Whether the server gave a reason. */
const isFromServer = (error: unknown) =>
  error instanceof CallFailure && error.status > 0 && !/^(status_|not_json)/.test(error.code)

interface Props {
  course: Course
  onClose: () => void
}

/** The look of a course: colors, font and corners, a template, or custom CSS. */
export default function ThemeEditor({ course, onClose }: Props) {
  // Keep the course the editor started from: a reload may replace the prop.
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
      title: 'Discard your theme changes?',
      action: 'Discard',
      cancel: 'Keep editing',
      isDestructive: true,
    }
    if (!isSaving && (!isChanged || (await confirm(question)))) onClose()
  }
  const reset = async () => {
    const question = {
      title: 'Reset to the default theme?',
      body: 'This replaces all theme values and clears your custom CSS.',
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
      // A conflict is resolved in its own dialog.
      if (!isStale(error)) setProblem(isFromServer(error) ? messageOf(error) : 'Failed to save theme')
    }
  }
  const panels: Record<Tab, ReactNode> = {
    // A new key after Reset: it also clears the custom font field.
    Simple: <SimpleTab key={resets} theme={theme} onChange={setTheme} />,
    Templates: <TemplatesTab theme={theme} onChange={setTheme} />,
    Advanced: <AdvancedTab theme={theme} onChange={setTheme} />,
    Preview: null,
  }
  const foot = (
    <>
      {/* Keeps its focus even when there is nothing left to reset. */}
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
            <aside className={styles.aside} aria-label="Preview side by side">
              <ThemePreview course={course} theme={theme} height={420} />
            </aside>
          )}
        </div>
      </TabPanel>
      {conflict}
    </Dialog>
  )
}
