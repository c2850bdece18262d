import { fontChoices, type Theme, themeProblem } from '@limber/contract/training/theme/theme.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { contrast, READABLE, textColorOn } from './contrast.ts'
import styles from './theme.module.css'

export interface ThemeProps {
  theme: Theme
  onChange: (theme: Theme) => void
}

const colors = [
  ['primaryColor', 'Primary color'],
  ['secondaryColor', 'Secondary color'],
  ['backgroundColor', 'Background color'],
  ['textColor', 'Text color'],
] as const

const CUSTOM = 'Custom'
const names = [...Object.keys(fontChoices), CUSTOM] as const
const nameOf = (family: string) => Object.entries(fontChoices).find(([, stack]) => stack === family)?.[0] ?? CUSTOM

// A color input accepts only `#rrggbb`.
const toColorInput = (color: string) =>
  /^#[0-9a-f]{3,4}$/i.test(color)
    ? `#${[...color.slice(1, 4)].map((digit) => digit + digit).join('')}`
    : /^#[0-9a-f]{6}/i.test(color)
      ? color.slice(0, 7)
      : '#000000'

/** Colors, font and corner radius. */
export function SimpleTab({ theme, onChange }: ThemeProps) {
  const fault = themeProblem(theme)
  return (
    <div className={styles.fields}>
      <div className={styles.colors}>
        {colors.map(([name, label]) => (
          <div key={name} className={styles.color}>
            <input
              type="color"
              aria-label={`${label} picker`}
              className={styles.well}
              value={toColorInput(theme[name])}
              onChange={(event) => onChange({ ...theme, [name]: event.currentTarget.value })}
            />
            <TextInput
              classNames={{ root: styles.hex ?? '' }}
              label={label}
              spellCheck={false}
              maxLength={9}
              value={theme[name]}
              error={fault?.field === name && fault.text}
              onChange={(event) => onChange({ ...theme, [name]: event.currentTarget.value.trim() })}
            />
          </div>
        ))}
      </div>
      <ContrastNote theme={theme} />
      <FontField theme={theme} onChange={onChange} />
      <RadiusField theme={theme} onChange={onChange} />
    </div>
  )
}

function ContrastNote({ theme }: { theme: Theme }) {
  const text = contrast(theme.textColor, theme.backgroundColor)
  const heading = contrast(theme.secondaryColor, theme.backgroundColor)
  const button = contrast(textColorOn(theme.primaryColor), theme.primaryColor)
  if (text === undefined || heading === undefined || button === undefined) return null
  const low = [
    ...(text < READABLE ? ['text'] : []),
    ...(heading < READABLE ? ['headings'] : []),
    ...(button < READABLE ? ['button'] : []),
  ]
  const figures = `Text on background ${text.toFixed(1)} : 1, headings ${heading.toFixed(1)} : 1, button ${button.toFixed(1)} : 1.`
  return low.length === 0 ? (
    <Banner kind="green">{figures} All text is easy to read.</Banner>
  ) : (
    <Banner kind="amber">
      {figures} Hard to read: {low.join(', ')}. Normal text needs {READABLE} : 1.
    </Banner>
  )
}

function FontField({ theme, onChange }: ThemeProps) {
  const [choice, setChoice] = useState(() => nameOf(theme.fontFamily))
  const fault = themeProblem(theme)
  const shown = choice === CUSTOM ? CUSTOM : nameOf(theme.fontFamily)
  return (
    <>
      <NativeSelect
        label="Font"
        value={shown}
        data={[...names]}
        onChange={(event) => {
          const next = event.currentTarget.value
          setChoice(next)
          const family = fontChoices[next as keyof typeof fontChoices]
          if (family) onChange({ ...theme, fontFamily: family })
        }}
      />
      {shown === CUSTOM && (
        <TextInput
          label="Custom font"
          placeholder="Georgia, serif"
          description="A font on the learner's device. The first available one is used."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          maxLength={80}
          value={theme.fontFamily}
          error={fault?.field === 'fontFamily' && fault.text}
          onChange={(event) => onChange({ ...theme, fontFamily: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function RadiusField({ theme, onChange }: ThemeProps) {
  const pixels = Number.parseInt(theme.borderRadius, 10) || 0
  const fault = themeProblem(theme)
  return (
    <div className={styles.radius}>
      <label className={styles.label} htmlFor="theme-radius">
        Border radius
      </label>
      <input
        id="theme-radius"
        type="range"
        min={0}
        max={64}
        value={pixels}
        onChange={(event) => onChange({ ...theme, borderRadius: `${event.currentTarget.value}px` })}
      />
      <TextInput
        aria-label="Border radius in pixels"
        value={theme.borderRadius}
        error={fault?.field === 'borderRadius' && fault.text}
        onChange={(event) => onChange({ ...theme, borderRadius: event.currentTarget.value.trim() })}
      />
    </div>
  )
}
