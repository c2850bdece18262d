import { prepareHome } from './limber.ts'
import { preparePages } from './pages.ts'
import { preparePrograms } from './programs.ts'

/** Prepares once what every journey needs: the built pages, the bundled server and a home with the sample company. */
export default async function prepareJourneys() {
  const dropPages = await preparePages()
  const dropPrograms = await preparePrograms()
  const dropHome = await prepareHome()
  return async () => {
    await dropHome()
    await dropPrograms()
    await dropPages()
  }
}
