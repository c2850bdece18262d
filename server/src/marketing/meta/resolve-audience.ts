import type { TargetAudience } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { z } from 'zod'
import { countryOf } from './ad.rules.ts'
import { type Graph, MetaFailure } from './meta-graph.ts'

/** Meta's minimum radius around a city. A smaller radius needs an address instead. */
const MIN_CITY_RADIUS = 10
const MAX_RADIUS = 50

const text = z.union([z.string(), z.number()]).transform(String)
const Found = z.object({
  data: z.array(
    z.object({ key: text.optional(), id: text.optional(), name: z.string(), country_code: z.string().optional() }),
  ),
})

type Search = Record<string, string>

async function findNamed(graph: Graph, kind: string, name: string, search: Search, country?: string) {
  const read = Found.safeParse(await graph.get('search', { q: name, limit: '25', ...search }))
  if (!read.success) throw new MetaFailure('transient', 'The reply from Meta is not a search result.')
  const near = read.data.data.filter((one) => country === undefined || one.country_code === country)
  const same = near.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const found = same ?? near[0]
  const id = found?.key ?? found?.id
  if (!found || id === undefined)
    throw new MetaFailure(
      'rejected',
      `Meta does not know the ${kind} “${name}”${country ? ` in ${country}` : ''}. Check the spelling.`,
    )
  return { id, name: found.name }
}

const place = (type: string, country: string): Search => ({
  type: 'adgeolocation',
  location_types: JSON.stringify([type]),
  country_code: country,
})

async function resolveCities(graph: Graph, cities: NonNullable<TargetAudience['geo_locations']['cities']>) {
  const plain: object[] = []
  const around: object[] = []
  for (const { name, country: code, radius } of cities) {
    const country = countryOf(code)
    if (radius && radius > MAX_RADIUS)
      throw new MetaFailure('rejected', `Meta accepts a radius of at most ${MAX_RADIUS} miles, not ${radius}.`)
    if (radius && radius < MIN_CITY_RADIUS) {
      around.push({ address_string: `${name}, ${country}`, radius, distance_unit: 'mile' })
      continue
    }
    const { id } = await findNamed(graph, 'city', name, place('city', country), country)
    plain.push({ key: id, ...(radius && { radius, distance_unit: 'mile' }) })
  }
  return { ...(plain.length > 0 && { cities: plain }), ...(around.length > 0 && { custom_locations: around }) }
}

/** Converts an audience to Meta's format, with Meta's ids instead of names. */
export async function resolveAudience(graph: Graph, audience: TargetAudience): Promise<Record<string, unknown>> {
  const { countries, regions = [], cities = [] } = audience.geo_locations
  const regionKeys: object[] = []
  for (const { name, country: code } of regions) {
    const country = countryOf(code)
    regionKeys.push({ key: (await findNamed(graph, 'region', name, place('region', country), country)).id })
  }
  const locales: number[] = []
  for (const { name } of audience.languages) {
    // The first result, such as 'English (All)', covers all variants.
    const { id } = await findNamed(graph, 'language', name, { type: 'adlocale' })
    locales.push(Number(id))
  }
  const interests: object[] = []
  for (const { name } of audience.interests)
    interests.push(await findNamed(graph, 'interest', name, { type: 'adinterest' }))
  const isEverybody = audience.genders.length !== 1
  return {
    geo_locations: {
      ...(countries && { countries: countries.map(countryOf) }),
      ...(regionKeys.length > 0 && { regions: regionKeys }),
      ...(await resolveCities(graph, cities)),
      location_types: ['home', 'recent'],
    },
    age_min: audience.age_min,
    age_max: audience.age_max,
    ...(!isEverybody && { genders: audience.genders }),
    ...(locales.length > 0 && { locales }),
    ...(interests.length > 0 && { flexible_spec: [{ interests }] }),
    // Keeps Meta from widening the selected audience.
    targeting_automation: { advantage_audience: 0 },
  }
}
