import type { Point } from '@limber/contract/businesses/zones/area.ts'
import type { Random } from '../random.ts'
import { type Town, towns } from './towns.ts'

const streets = (
  'Magnolia,Arlington,Central,Victoria,Jurupa,Mission,Indiana,California,Palm,Orange,Lemon,Lime,Walnut,Chestnut,Olive,' +
  'Cypress,Sycamore,Juniper,Alder,Laurel,Linden,Mulberry,Oleander,Jacaranda,Acacia,Eucalyptus,Pepper,Cactus,Yucca,' +
  'Sierra,Baseline,Foothill,Highland,Canyon Crest,Vista Grande,Sunnymead,Alessandro,Cottonwood,Ironwood,Heacock,' +
  'Perris,Washington,Lincoln,Jefferson,Madison,Monroe,Grant,Cleveland,Harrison,Redlands,Citrus,Cajon,San Mateo,' +
  'Fern,Brookside,Barton,Terracina,Euclid,Mountain,Archibald,Haven,Milliken,Etiwanda,Cherry,Beech,Sultana,Mango,' +
  'Ynez,Margarita,Rancho Vista,Pauba,Winchester,Clinton Keith,Nutmeg,Railroad Canyon,Grape,Florida,Stetson,Sanderson,' +
  'Bear Valley,Mojave,Hook,Seneca,Amargosa,Escondido,Ranchero,Indian Canyon,Tahquitz,Sunrise,Farrell,Ramon,Vista Chino'
).split(',')
const kinds = ['Ave', 'Ave', 'St', 'St', 'Dr', 'Rd', 'Ln', 'Ct', 'Way', 'Blvd', 'Pl', 'Cir']
const units = ['Apt', 'Unit', '#']

export interface Address extends Point {
  address_line: string
  city: string
  state: string
  postal_code: string
}

const KM_PER_DEGREE = 111.32
const weights = towns.map(({ weight }) => weight)

/** A random town, in proportion to its weight. */
export const pickTown = (random: Random): Town => towns[random.weighted(weights)] ?? random.pick(towns)

/** A random address near the center of a town. */
export function pickAddress(random: Random, town: Town): Address {
  const spread = 1.2 + Math.sqrt(town.weight) / 7
  const [east, north] = [random.normal() * spread, random.normal() * spread]
  const unit = random.chance(0.22) ? ` ${random.pick(units)} ${random.integer(1, 240)}` : ''
  return {
    address_line: `${random.integer(100, 29_999)} ${random.pick(streets)} ${random.pick(kinds)}${unit}`,
    city: town.city,
    state: 'CA',
    postal_code: String(random.pick(town.postal)),
    latitude: round(town.latitude + north / KM_PER_DEGREE),
    longitude: round(town.longitude + east / KM_PER_DEGREE / Math.cos((town.latitude * Math.PI) / 180)),
  }
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
