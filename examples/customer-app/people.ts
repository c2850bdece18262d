import type { Random } from './random.ts'
import type { Customer, Lead, Stretcher } from './records.ts'

export interface Zone {
  id: number
  name: string
  /** Rings of longitude and latitude; the first one is the border. */
  polygon: { coordinates: [number, number][][] }
}

const firstNames =
  'Ana Ben Carla Dev Elena Felix Grace Hugo Iris Jonas Kira Leo Mina Noah Olive Pablo Quinn Rosa Sam Tara Uma Victor Wendy Yara Zoe Amir Beth Cole Dana Eli'
const lastNames =
  'Adams Baker Castro Diaz Evans Flores Garcia Hughes Ito Jensen Khan Lopez Meyer Nguyen Ortiz Patel Quiroz Reyes Silva Torres Usman Vega Walsh Xu Young Zamora Brooks Chavez Dunn Ellis Foster Grant Hale'
const streets = 'Palm Ave,Orange St,Magnolia Ave,Mission Blvd,Canyon Crest Dr,Sunset Ln,Lakeview Rd,Cedar Ct'

const list = (words: string, by = ' ') => words.split(by)

function inventName(random: Random) {
  return { first_name: random.pick(list(firstNames)), last_name: random.pick(list(lastNames)) }
}

const emailOf = (name: { first_name: string; last_name: string }, id: string) =>
  `${name.first_name}.${name.last_name}.${id}@example.com`.toLowerCase()

/** A place inside the zone: points of the box around it are tried until one is within the border. */
function placeIn({ polygon }: Zone, random: Random): { latitude: number; longitude: number } {
  const border = polygon.coordinates[0] ?? []
  const [west, east] = rangeOf(border.map(([longitude]) => longitude))
  const [south, north] = rangeOf(border.map(([, latitude]) => latitude))
  for (;;) {
    const longitude = Number((west + random.number() * (east - west)).toFixed(5))
    const latitude = Number((south + random.number() * (north - south)).toFixed(5))
    if (isInside(border, longitude, latitude)) return { latitude, longitude }
  }
}

const rangeOf = (numbers: number[]) => [Math.min(...numbers), Math.max(...numbers)] as const

/** A line from the point to the east crosses the border an odd number of times. */
function isInside(border: [number, number][], x: number, y: number): boolean {
  const crossings = border.filter(([x2, y2], at) => {
    const [x1, y1] = border.at(at - 1) as [number, number]
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)
  })
  return crossings.length % 2 === 1
}

/** Every eighth customer came through a friend, one of those who were there before. */
export function inventCustomer(number: number, zone: Zone, joinedAt: string, random: Random, friends = 0): Customer {
  const external_id = `c-${number}`
  const name = inventName(random)
  return {
    external_id,
    ...name,
    email: emailOf(name, external_id),
    phone: `+1951${5_550_000 + number}`,
    joined_at: joinedAt,
    email_verified_at: joinedAt,
    waiver_signed_at: joinedAt,
    last_login_at: joinedAt,
    lifecycle_stage: 'new',
    value_tier: 'low',
    rank: 'Bronze',
    engagement_score: 20,
    points: 0,
    total_points_earned: 0,
    address: {
      line: `${random.between(1, 990)} ${random.pick(list(streets, ','))}`,
      city: zone.name,
      state: 'CA',
      ...placeIn(zone, random),
    },
    ...(friends > 0 && random.chance(1 / 8) && { referred_by: { customer: `c-${random.between(1, friends)}` } }),
  }
}

export function inventStretcher(number: number, zone: Zone, hiredAt: string, random: Random): Stretcher {
  const external_id = `s-${number}`
  const name = inventName(random)
  return {
    external_id,
    ...name,
    email: emailOf(name, external_id),
    phone: `+1951${5_600_000 + number}`,
    date_of_birth: `${random.between(1975, 2003)}-0${random.between(1, 9)}-${random.between(10, 28)}`,
    hired_at: hiredAt,
    status: 'active',
    zone_id: zone.id,
  }
}

export function inventLead(external_id: string, random: Random): Lead {
  const name = inventName(random)
  const note = random.pick(['Asked about prices.', 'Asked about sessions at work.', 'Wants to book for a parent.'])
  return { external_id, ...name, email: emailOf(name, external_id), source: 'website', note }
}
