import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeComponents,
} from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { createElement } from 'react'

const gray: MantineColorsTuple = [
  '#fafbfc',
  '#f4f7f8',
  '#ebeff0',
  '#dee4e6',
  '#c8d1d3',
  '#818e92',
  '#5b696d',
  '#445356',
  '#293539',
  '#111b1e',
]
const dark: MantineColorsTuple = [
  '#eaedee',
  '#c2c9ca',
  '#9ba5a8',
  '#707b7e',
  '#3e484b',
  '#283133',
  '#1e2527',
  '#151b1d',
  '#0d1314',
  '#070b0c',
]
const teal: MantineColorsTuple = [
  '#effaf9',
  '#dbf4f2',
  '#bae7e4',
  '#8fd3cf',
  '#5eb6b2',
  '#2d918e',
  '#187674',
  '#0f605e',
  '#0b4b49',
  '#073432',
]

const chevron = createElement(IconChevronDown, { size: 14 })
const closeButtonProps = { 'aria-label': 'Close', size: 32, iconSize: 18 }

// Plain objects instead of Component.extend(), which would pull every component into the sign-in page.
const components: MantineThemeComponents = {
  Button: {
    defaultProps: { size: 'sm', fw: 500 },
    vars: (_: unknown, props: { size?: string }) => ({
      root: {
        '--button-height':
          props.size === 'xs' ? 'var(--control-h-sm)' : props.size === 'lg' ? '40px' : 'var(--control-h)',
        '--button-padding-x': props.size === 'xs' ? '9px' : '12px',
        '--button-fz': props.size === 'xs' ? 'var(--fs-12)' : props.size === 'lg' ? 'var(--fs-14)' : 'var(--fs-13)',
      },
    }),
  },
  ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'var(--control-h)' } },
  Badge: { defaultProps: { variant: 'light', radius: 'sm', size: 'md', tt: 'none', fw: 500 } },
  Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'lg', shadow: 'none' } },
  Paper: { defaultProps: { radius: 'lg', shadow: 'none' } },
  Input: { defaultProps: { size: 'sm' }, vars: () => ({ wrapper: { '--input-height': 'var(--control-h)' } }) },
  InputWrapper: { defaultProps: { size: 'sm' } },
  TextInput: { defaultProps: { size: 'sm' } },
  Textarea: { defaultProps: { size: 'sm', autosize: true } },
  NumberInput: { defaultProps: { size: 'sm', hideControls: true } },
  PasswordInput: { defaultProps: { size: 'sm' } },
  PinInput: { defaultProps: { length: 6, type: 'number', oneTimeCode: true, size: 'lg', gap: 8 } },
  Select: {
    defaultProps: {
      size: 'sm',
      allowDeselect: false,
      // A list that opens on focus covers the rest of the form.
      openOnFocus: false,
      // The list scrolls by itself; a scroll area would be one more stop for screen readers.
      withScrollArea: false,
      checkIconPosition: 'right',
      comboboxProps: { shadow: 'md' },
      rightSection: chevron,
      rightSectionPointerEvents: 'none',
    },
  },
  NativeSelect: { defaultProps: { size: 'sm', rightSection: chevron } },
  Checkbox: { defaultProps: { size: 'xs', radius: 'sm' } },
  Radio: { defaultProps: { size: 'xs' } },
  Switch: { defaultProps: { size: 'xs', withThumbIndicator: false } },
  SegmentedControl: { defaultProps: { size: 'xs', radius: 'md', withItemsBorders: false } },
  Text: { defaultProps: { size: 'sm' } },
  Tabs: { defaultProps: { variant: 'default', keepMounted: false } },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'lg',
      size: 480,
      shadow: 'xl',
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
      transitionProps: { transition: 'pop', duration: 200 },
      closeButtonProps,
    },
  },
  Drawer: {
    defaultProps: {
      position: 'right',
      size: 384,
      radius: 0,
      withOverlay: false,
      transitionProps: { duration: 200 },
      closeButtonProps,
    },
  },
  Menu: {
    defaultProps: {
      radius: 'lg',
      shadow: 'md',
      position: 'bottom-end',
      offset: 4,
      withInitialFocusPlaceholder: false,
      transitionProps: { duration: 120 },
    },
  },
  Popover: { defaultProps: { radius: 'lg', shadow: 'md', offset: 4 } },
  Tooltip: { defaultProps: { openDelay: 300, radius: 'md' } },
  Skeleton: { defaultProps: { radius: 'sm' } },
  Loader: { defaultProps: { size: 14, color: 'currentColor' } },
}

const heading = (fontSize: string, lineHeight: string) => ({ fontSize, lineHeight })

/** The design tokens as a Mantine theme, so that screens set no density, type or radius. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  colors: { gray, dark, teal },
  white: '#ffffff',
  black: '#111b1e',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1rem', sm: '1.25rem', md: '1.375rem', lg: '1.5rem', xl: '1.75rem' },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '600',
    sizes: {
      h1: heading('1.25rem', '1.75rem'),
      h2: heading('1rem', '1.5rem'),
      h3: heading('0.875rem', '1.25rem'),
      h4: heading('0.8125rem', '1.25rem'),
    },
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '4px', md: '6px', lg: '8px', xl: '8px' },
  defaultRadius: 'md',
  shadows: { xs: 'none', sm: 'none', md: 'var(--shadow-float)', lg: 'var(--shadow-float)', xl: 'var(--shadow-modal)' },
  breakpoints: { xs: '36em', sm: '48em', md: '64em', lg: '80em', xl: '100em' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components,
})

const meaning = (name: string, token: string, fill = `var(--${token})`) => ({
  [`--mantine-color-${name}-text`]: `var(--${token}-text)`,
  [`--mantine-color-${name}-light`]: `var(--${token}-quiet)`,
  [`--mantine-color-${name}-light-hover`]: `var(--${token}-line)`,
  [`--mantine-color-${name}-light-color`]: `var(--${token}-text)`,
  [`--mantine-color-${name}-outline`]: `var(--${token}-text)`,
  [`--mantine-color-${name}-filled`]: fill,
})

const roles: Record<string, string> = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  // The background of cards, modals and tables; the page itself uses --bg (base.css).
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--red-text)',
  '--mantine-color-success': 'var(--green-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--fill)',
  '--mantine-color-disabled-color': 'var(--text-disabled)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-teal-filled': 'var(--accent)',
  '--mantine-color-teal-filled-hover': 'var(--accent-hover)',
  '--mantine-color-teal-light': 'var(--accent-quiet)',
  '--mantine-color-teal-light-hover': 'var(--selected)',
  '--mantine-color-teal-light-color': 'var(--accent-text)',
  '--mantine-color-teal-text': 'var(--link)',
  '--mantine-color-teal-outline': 'var(--accent-mark)',
  '--mantine-color-gray-light': 'var(--fill)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-color-gray-text': 'var(--text-2)',
  ...meaning('green', 'green'),
  ...meaning('yellow', 'amber'),
  ...meaning('blue', 'blue'),
  ...meaning('red', 'red', 'var(--red-fill)'),
  '--mantine-color-red-filled-hover': 'var(--red-fill-hover)',
}

/** One map for both schemes: the tokens themselves switch between light and dark. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles })
