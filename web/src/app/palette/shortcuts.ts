import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { isLayerOpen } from '#ui/dialog/layers.ts'
import { isLetterKey } from '#ui/keyboard/is-page-key.ts'
import { landingOf, visibleTabs } from '../navigation.ts'
import { useSections } from '../section-registry.ts'

const GO_TIMEOUT = 1_200

/** The field that `/` focuses: a section marks its search with `data-section-search`. */
const sectionSearch = () => document.querySelector<HTMLInputElement>('main input[data-section-search]')

interface Handlers {
  onPalette: () => void
  onHelp: () => void
}

/** Shortcuts that work on every screen. Letters are ignored while someone types or a layer is open. */
export function useShortcuts({ onPalette, onHelp }: Handlers): void {
  const session = useSession()
  const sections = useSections()
  const { history } = useRouter()

  const go = useEffectEvent((key: string) => {
    const tab = visibleTabs(session).find((one) => one.key === key)
    if (tab) history.push(landingOf(session, tab, sections))
  })
  const press = useEffectEvent((event: KeyboardEvent, afterG: boolean): boolean => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      if (!isLayerOpen()) onPalette()
      return false
    }
    if (!isLetterKey(event) || isLayerOpen()) return false
    if (afterG) {
      go(event.key)
      return false
    }
    if (event.key === '?') onHelp()
    if (event.key === '/') {
      const search = sectionSearch()
      event.preventDefault()
      if (search) search.focus()
      else onPalette()
    }
    return event.key === 'g'
  })

  useEffect(() => {
    let isAfterG = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      isAfterG = press(event, isAfterG)
      clearTimeout(timer)
      if (isAfterG) timer = setTimeout(() => (isAfterG = false), GO_TIMEOUT)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
