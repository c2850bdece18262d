import { Menu } from '@mantine/core'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import styles from './bulk-bar.module.css'

interface Props {
  options: readonly string[]
  onChoose: (place: number) => void
}

export default function BulkMenu({ options, onChoose }: Props) {
  return (
    <OpenMenu position="top-start" className={styles.menu ?? ''}>
      {options.map((label, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two workers may have the same name
        <Menu.Item key={place} onClick={() => onChoose(place)}>
          {label}
        </Menu.Item>
      ))}
    </OpenMenu>
  )
}
