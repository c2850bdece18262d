import { z } from 'zod'

/** What the URL of the API keys keeps: the key whose detail is open. */
export const ApiKeySearch = z.object({ key: z.coerce.number().int().min(0).catch(0) })
