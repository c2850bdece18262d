import type { Stage } from '@limber/server/businesses/business/business.queries.ts'

/** What happens to a block: unused, expired, used on a day (counted from today), or scheduled and canceled. */
type BlockOutcome = 'unused' | 'expired' | number | { cancelled: number }

interface BlockPlan {
  hours: 2 | 3 | 4
  slot: 10 | 15 | 20
  label: string
  outcome: BlockOutcome
}

export interface Partner {
  name: string
  path: string
  zone: string
  rep: string
  location: string
  kind?: 'school'
  stage: Stage
  /** Days since the first contact. */
  since: number
  /** Days from today; absent if it does not renew. */
  renewsIn?: number
  ended?: string
  isArchived?: boolean
  contacts: number
  addresses: number
  blocks: readonly BlockPlan[]
}

const block = (hours: 2 | 3 | 4, slot: 10 | 15 | 20, label: string, outcome: BlockOutcome): BlockPlan => ({
  hours,
  slot,
  label,
  outcome,
})

// biome-ignore format: one paragraph per partner is easier to read
export const partners: readonly Partner[] = [
  { name: 'Mission Inn Hospitality', path: 'mission-inn', zone: 'Riverside', rep: 'Celeste Navarro', location: '3649 Mission Inn Ave, lobby lounge', stage: 'active', since: 410, renewsIn: 74, contacts: 9, addresses: 212, blocks: [
    block(4, 20, 'Q4 wellness day, lobby', 3), block(2, 15, 'Front desk team', 16), block(2, 15, 'Kitchen staff, early shift', 'unused'),
    block(3, 10, 'Housekeeping', 'unused'), block(3, 15, 'Spare', 'unused'), block(4, 20, 'Q3 wellness day', -58), block(4, 20, 'Q2 wellness day', -151),
    block(2, 15, 'Spa team', -30), block(2, 15, 'Banquet crew', 'expired')] },
  { name: 'Arrowhead Credit Union', path: 'arrowhead-cu', zone: 'San Bernardino', rep: 'Harold Beck', location: '480 W 4th St, training room B', stage: 'active', since: 362, renewsIn: 21, contacts: 7, addresses: 5000, blocks: [
    block(2, 15, 'Tellers', 5), block(2, 15, 'Call center', { cancelled: 9 }), block(4, 15, 'All hands', -22), block(4, 15, 'Spring all hands', -204), block(2, 10, 'Loan desk', -75), block(2, 10, 'Loan desk, fall', 'unused')] },
  { name: 'Loma Vista Medical', path: 'loma-vista', zone: 'Redlands', rep: 'Dr. Irene Castellanos', location: '255 Terracina Blvd, wing C', stage: 'active', since: 505, renewsIn: 140, contacts: 12, addresses: 1840, blocks: [
    block(4, 10, 'Night nurses', 2), block(4, 10, 'Surgery', 11), block(4, 10, 'ICU', 'unused'), block(4, 10, 'Radiology', 'unused'), block(4, 10, 'Emergency room', 'unused'),
    block(4, 10, 'Nurses, spring', -120), block(4, 10, 'Nurses, summer', -64), block(3, 15, 'Reception', -12)] },
  { name: 'Citrus Belt Brewing', path: 'citrus-belt', zone: 'Redlands', rep: 'Gus Oyelaran', location: '1032 Redlands Blvd, barrel room', stage: 'active', since: 288, renewsIn: 9, contacts: 5, addresses: 34, blocks: [
    block(2, 15, 'Brewers', -40), block(2, 15, 'Taproom', -97), block(2, 15, 'Harvest party', -150)] },
  { name: 'Norco Saddle & Tack', path: 'norco-saddle', zone: 'Corona & Norco', rep: 'June Halvorsen', location: '2640 Hamner Ave', stage: 'pending', since: 61, contacts: 3, addresses: 12, blocks: [
    block(2, 20, 'Workshop', 8), block(2, 20, 'Shop floor', 'unused')] },
  { name: 'Foothill Logistics', path: 'foothill-logistics', zone: 'Fontana', rep: 'Terrence Odom', location: '14600 Slover Ave, dock 7', stage: 'active', since: 333, renewsIn: 118, contacts: 8, addresses: 3120, blocks: [
    block(4, 10, 'Early shift', 1), block(4, 10, 'Late shift', 20), block(3, 10, 'Drivers', 'unused'), block(3, 10, 'Office', 'unused'), block(4, 10, 'Peak season', -9), block(4, 10, 'Early shift, August', -91)] },
  { name: 'Ontario Flight Services', path: 'ontario-flight', zone: 'Ontario', rep: 'Marisela Quiroz', location: '2900 E Airport Dr, crew room', stage: 'pending', since: 35, contacts: 4, addresses: 78, blocks: [
    block(3, 15, 'Ramp crew', 6), block(3, 15, 'Ground school', 'unused')] },
  { name: 'Vineyard Dental Group', path: 'vineyard-dental', zone: 'Rancho Cucamonga', rep: 'Dr. Paul Zielinski', location: '8283 Grove Ave', stage: 'active', since: 240, contacts: 4, addresses: 19, blocks: [
    block(2, 15, 'Hygienists', -70)] },
  { name: 'Jurupa Valley Schools', path: 'jurupa-schools', zone: 'Jurupa Valley', rep: 'Dolores Whitman', location: '4850 Pedley Rd, gym', kind: 'school', stage: 'contacted', since: 19, contacts: 2, addresses: 0, blocks: [] },
  { name: 'Box Springs Solar', path: 'box-springs-solar', zone: 'Moreno Valley', rep: 'Kenji Aoki', location: '22690 Cactus Ave', stage: 'active', since: 198, renewsIn: 203, contacts: 6, addresses: 145, blocks: [
    block(3, 15, 'Installers', 12), block(2, 15, 'Engineers', -18), block(2, 15, 'Installers, spring', -160), block(2, 15, 'Sales', 'expired')] },
  { name: 'San Gorgonio Outfitters', path: 'san-gorgonio', zone: 'Yucaipa', rep: 'Bree Lindqvist', location: '601 E 6th St', stage: 'ended', since: 420, ended: 'Moved to another county', contacts: 6, addresses: 27, blocks: [
    block(2, 15, 'Guides', -230), block(2, 15, 'Store', -180)] },
  { name: 'Temescal Software', path: 'temescal', zone: 'Corona & Norco', rep: 'Anjali Mehta', location: '341 Corporate Terrace, floor 2', stage: 'active', since: 275, renewsIn: 90, contacts: 5, addresses: 96, blocks: [
    block(2, 10, 'Engineering', 4), block(2, 10, 'Support', 'unused'), block(2, 10, 'Engineering, summer', -80), block(2, 10, 'Design', 'unused')] },
  { name: 'Prado Dairy Cooperative', path: 'prado-dairy', zone: 'Chino & Chino Hills', rep: 'Luis Madrigal', location: '7400 Chino Corona Rd', stage: 'ended', since: 390, ended: 'Budget was cut', isArchived: true, contacts: 8, addresses: 61, blocks: [
    block(3, 15, 'Packing line', -250)] },
  { name: 'Sycamore Canyon Films', path: 'sycamore-films', zone: 'Riverside', rep: 'Noa Feldman', location: '6465 Sycamore Canyon Blvd, stage 3', stage: 'pending', since: 78, contacts: 4, addresses: 3, blocks: [
    block(2, 20, 'Grip and electric', 13), block(2, 20, 'Office', -5)] },
  { name: 'Inland Harvest Foods', path: 'inland-harvest', zone: 'San Bernardino', rep: 'Rosa Villanueva', location: '1195 S G St, cafeteria', stage: 'active', since: 300, renewsIn: 60, contacts: 7, addresses: 890, blocks: [
    block(4, 15, 'Cannery, early shift', 9), block(4, 15, 'Cannery, late shift', -45), block(4, 15, 'Cannery, spring', -170), block(3, 15, 'Drivers', 'unused'), block(2, 15, 'Cafeteria', { cancelled: 14 })] },
  { name: 'Cajon Rail Works', path: 'cajon-rail', zone: 'San Bernardino', rep: 'Walter Nakamura', location: '740 Carnegie Dr', stage: 'contacted', since: 8, contacts: 1, addresses: 0, blocks: [] },
  { name: 'Etiwanda Gardens', path: 'etiwanda-gardens', zone: 'Rancho Cucamonga', rep: 'Fern Aguirre', location: '12505 Base Line Rd', stage: 'active', since: 210, contacts: 3, addresses: 48, blocks: [
    block(2, 15, 'Greenhouse', -66), block(2, 15, 'Nursery', 'expired')] },
  { name: 'Santa Ana River Trust', path: 'river-trust', zone: 'Jurupa Valley', rep: 'Omar Bautista', location: '4600 Crestmore Rd, barn', stage: 'pending', since: 44, contacts: 3, addresses: 25, blocks: [
    block(2, 20, 'Rangers', 10), block(2, 20, 'Volunteers', 'unused'), block(2, 20, 'Office', 'unused')] },
]
