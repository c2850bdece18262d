import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { Icon } from '../layout/icon.tsx'
import { themeOf, themes } from './themes.ts'

/** Cycles through the themes. A small replacement for the menu on the sign-in page. */
export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = themeOf(colorScheme)
  const next = themes[(themes.indexOf(current) + 1) % themes.length] ?? current
  return (
    <ActionIcon
      aria-label={`Theme: ${current.title}. Switch to ${next.title}`}
      title={`Theme: ${current.title}`}
      onClick={() => setColorScheme(next.value)}
    >
      <Icon of={current.icon} />
    </ActionIcon>
  )
}
