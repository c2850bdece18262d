import { copyFilled, TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import { loadStory } from './story.ts'

/** The sample company as of the tests' today, in a database of its own. Loading it takes long; copying does not. */
export const copyStory = () => copyFilled('story', (url) => loadStory(url, { now: new Date(TEST_NOW) }))

/** For hooks that may be the first to ask, on a busy machine. */
export const STORY_TIMEOUT = 240_000
