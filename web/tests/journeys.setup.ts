import { prepareHome } from './limber.ts'
import { preparePages } from './pages.ts'

/** Prepares once what every journey needs: the built pages and a home with the sample company. */
export default async function prepareJourneys() {
  const dropPages = await preparePages()
  const dropHome = await prepareHome()
  return async () => {
    await dropHome()
    await dropPages()
  }
}
