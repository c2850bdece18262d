import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Href } from '#platform/routing/links.ts'
import { parseSearch } from '#platform/routing/search.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './today.module.css'

/** The router takes path and search parameters separately. */
function placeOf(path: Href) {
  const [to = '', search = ''] = path.split('?')
  return { to, search: parseSearch(search) }
}

/** Items that need attention, each with a link. */
export function TodayList({ label, items }: { label: string; items: readonly TodayItem[] }) {
  return (
    <ul aria-label={label}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <Link {...placeOf(item.path)} className={styles.link ?? ''}>
            <Icon of={item.icon} />
            <span className={styles.text}>
              <span>{item.title}</span>{' '}
              {item.detail && (
                <span className={styles.detail} data-urgent={item.isUrgent || undefined}>
                  {item.detail}
                </span>
              )}
            </span>
            <Icon of={IconChevronRight} size={14} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
