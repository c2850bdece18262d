import { z } from 'zod'
import { StyleText } from '../values.ts'

export const templateNames = ['Default', 'Modern', 'Minimal', 'Corporate'] as const
export type TemplateName = (typeof templateNames)[number]

export const Theme = z.strictObject({
  primaryColor: z.string(),
  secondaryColor: z.string(),
  backgroundColor: z.string(),
  textColor: z.string(),
  fontFamily: z.string(),
  borderRadius: z.string(),
  customCSS: z.string(),
  templateType: z.enum(templateNames),
})
export type Theme = z.infer<typeof Theme>

const value = z.string().max(200)

/** A theme as requests send it. Omitted fields get their default; `themeProblem` checks the values. */
export const ThemeInput = z.strictObject({
  primaryColor: value.optional(),
  secondaryColor: value.optional(),
  backgroundColor: value.optional(),
  textColor: value.optional(),
  fontFamily: value.optional(),
  borderRadius: value.optional(),
  customCSS: StyleText.optional(),
  templateType: z.enum(templateNames).optional(),
})
export type ThemeInput = z.infer<typeof ThemeInput>

export const defaultTheme: Theme = {
  primaryColor: '#4299e1',
  secondaryColor: '#2d3748',
  backgroundColor: '#ffffff',
  textColor: '#2d3748',
  fontFamily: 'Inter, system-ui, sans-serif',
  borderRadius: '8px',
  customCSS: '',
  templateType: 'Default',
}

/** Each template is the default theme with its own values. */
export const themeTemplates: Record<TemplateName, Theme> = {
  Default: defaultTheme,
  Modern: {
    ...defaultTheme,
    primaryColor: '#667eea',
    secondaryColor: '#764ba2',
    borderRadius: '12px',
    templateType: 'Modern',
  },
  Minimal: { ...defaultTheme, borderRadius: '0px', templateType: 'Minimal' },
  Corporate: { ...defaultTheme, primaryColor: '#1e40af', borderRadius: '6px', templateType: 'Corporate' },
}

/** The built-in fonts. A custom font is typed in. */
export const fontChoices = {
  Inter: 'Inter, system-ui, sans-serif',
  Poppins: 'Poppins, system-ui, sans-serif',
  Roboto: 'Roboto, system-ui, sans-serif',
  Helvetica: 'Helvetica, Arial, sans-serif',
} as const

const hexColor = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const font = /^[A-Za-z0-9 ,'-]{1,80}$/

const radiusOf = (text: string) => /^(\d{1,2})(px)?$/.exec(text)?.[1]

const colorNames = {
  primaryColor: 'primary color',
  secondaryColor: 'secondary color',
  backgroundColor: 'background color',
  textColor: 'text color',
} as const

/** The first invalid value of a theme, as field and message; undefined if all values are valid. */
export function themeProblem(theme: ThemeInput): { field: keyof Theme; text: string } | undefined {
  for (const field of Object.keys(colorNames) as (keyof typeof colorNames)[]) {
    const text = theme[field]
    if (text !== undefined && !hexColor.test(text))
      return { field, text: `The ${colorNames[field]} must be a hex color such as #4299e1.` }
  }
  const { borderRadius, fontFamily } = theme
  const radius = borderRadius === undefined ? 0 : radiusOf(borderRadius)
  if (radius === undefined || Number(radius) > 64)
    return { field: 'borderRadius', text: 'The border radius must be between 0px and 64px.' }
  if (fontFamily !== undefined && !font.test(fontFamily))
    return {
      field: 'fontFamily',
      text: "A font can have at most 80 characters: letters, digits, spaces, commas, ' and -.",
    }
  return undefined
}

/** The default theme, overridden by the saved or sent values. */
export const completeTheme = (theme: ThemeInput | null | undefined): Theme => {
  const given = Object.fromEntries(Object.entries(theme ?? {}).filter(([, text]) => text !== undefined))
  const merged: Theme = { ...defaultTheme, ...given }
  return { ...merged, borderRadius: `${Number(radiusOf(merged.borderRadius) ?? 8)}px` }
}
