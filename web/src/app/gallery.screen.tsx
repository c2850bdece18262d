import { PageHead } from '#ui/page-head.tsx'

export default function Gallery() {
  return <PageHead title="Components">Every shared widget in its states.</PageHead>
}
