import { publicScreens as access } from '#access/public-screens.ts'
import { publicScreens as certifications } from '#certifications/public-screens.ts'
import type { PublicScreen } from '#platform/routing/sections.ts'

const gallery: PublicScreen = { path: '/dev/gallery', load: () => import('./gallery/gallery.screen.tsx') }
const hasGallery = import.meta.env.DEV || import.meta.env.VITE_GALLERY === '1'

/** Every screen that needs no session. */
export const publicScreens: readonly PublicScreen[] = [...access, ...certifications, ...(hasGallery ? [gallery] : [])]
