import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { parseSearch, stringifySearch } from '#platform/routing/search.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ThemeMenu } from '#ui/theme/theme-menu.tsx'
import styles from './gallery.module.css'
import { Basics } from './gallery-basics.tsx'
import { Figures } from './gallery-figures.tsx'
import { Forms } from './gallery-forms.tsx'
import { Layers } from './gallery-layers.tsx'
import { Lists } from './gallery-lists.tsx'
import { States } from './gallery-states.tsx'

function Everything() {
  return (
    <>
      <header className={styles.bar}>
        <Logo />
        Limber
        <span className={styles.push}>
          <ThemeMenu />
        </span>
      </header>
      <main className={styles.main}>
        <PageHead title="Components">Every shared widget in its states.</PageHead>
        <div className={styles.grid}>
          <Basics />
          <Forms />
          <Lists />
          <Layers />
          <States />
          <Figures />
        </div>
      </main>
    </>
  )
}

/** Every widget in every state, for developers. Not part of the product. */
export default function Gallery() {
  const [router] = useState(() =>
    createRouter({
      routeTree: createRootRoute({ component: Everything }),
      history: createMemoryHistory(),
      parseSearch,
      stringifySearch,
    }),
  )
  return <RouterProvider router={router} />
}
