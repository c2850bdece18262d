import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { OpenMenu } from '../dialog/open-menu.tsx'
import { Icon } from '../layout/icon.tsx'
import { themes } from './themes.ts'

/** The items of the theme menu. */
export default function ThemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <OpenMenu width={160}>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        {themes.map(({ value, title, icon }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick rightSection={<Icon of={icon} />}>
            {title}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </OpenMenu>
  )
}
