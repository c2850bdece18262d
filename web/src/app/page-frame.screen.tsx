import { Button } from '@mantine/core'
import { IconLayoutList } from '@tabler/icons-react'
import { Link, Navigate, useLocation } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useSession } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { landingOf, pagesOf, visibleTabs } from './navigation.ts'
import NoAccess from './no-access.tsx'
import { useSections } from './section-registry.ts'
import { pages, tabs } from './tabs.ts'

/** The path of a page or tab: redirects to its first section, or says that this worker has none there. */
export default function PageFrame() {
  const session = useSession()
  const sections = useSections()
  const pathname = useLocation({ select: (location) => location.pathname.replace(/\/+$/, '') })
  const page = pages.find((one) => one.path === pathname && one.isCollapsible)
  const tab = tabs.find((one) => one.tab === page?.tab || one.path === pathname)
  if (!tab) return null
  if (!visibleTabs(session).includes(tab)) return <NoAccess needs={tab.permission} />

  const first = page
    ? pagesOf(session, tab.tab, sections).find((one) => one.page === page.page)?.sections[0]?.path
    : landingOf(session, tab, sections)
  if (first && first !== pathname) return <Navigate to={first} replace />

  const title = page?.title ?? tab.title
  const isBuilt = sections.some((one) => (page ? one.page === page.page : one.tab === tab.tab) && !one.isUnlisted)
  const profile = (
    <Button variant="default" renderRoot={(props) => <Link {...linkTo('/dashboard/worker-profile')} {...props} />}>
      My profile
    </Button>
  )
  return (
    <>
      <PageHead title={title} />
      <SectionCard>
        {isBuilt ? (
          <EmptyState
            icon={IconLayoutList}
            title={`You do not have access to any section of ${title}`}
            action={profile}
          >
            Your permissions decide which sections you see. Your profile lists them.
          </EmptyState>
        ) : (
          <EmptyState icon={IconLayoutList} title={`${title} has no sections yet`}>
            This version of Limber has no sections here for anyone. Your permissions are not the reason.
          </EmptyState>
        )}
      </SectionCard>
    </>
  )
}
