import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { Icon } from './icon.tsx'
import { themeOf, themes } from './themes.ts'

/** Chooses light, dark, or what the system says. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = themeOf(colorScheme)
  return (
    <Menu width={160} withinPortal={false}>
      <Menu.Target>
        <ActionIcon aria-label={`Theme: ${current.title}`}>
          <Icon of={current.icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          {themes.map(({ value, title, icon }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick rightSection={<Icon of={icon} />}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
