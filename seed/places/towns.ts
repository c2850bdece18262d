/** A town in Riverside or San Bernardino County, with its center, postal codes, and share of customers (weight). */
export interface Town {
  city: string
  latitude: number
  longitude: number
  postal: readonly number[]
  weight: number
}

/** A town with a zone around it. */
export interface ZoneTown extends Town {
  zone: string
  /** The radius of the zone, in kilometers. */
  reach: number
  /** Days since the zone was opened. */
  opened: number
  /** Number of stretchers. */
  stretchers: number
}

type Line = [city: string, latitude: number, longitude: number, weight: number, ...postal: number[]]

const town = ([city, latitude, longitude, weight, ...postal]: Line): Town => ({
  city,
  latitude,
  longitude,
  weight,
  postal,
})

const zoneTown = (line: Line, reach: number, opened: number, stretchers: number, zone = line[0]): ZoneTown => ({
  ...town(line),
  zone,
  reach,
  opened,
  stretchers,
})

export const zoneTowns: readonly ZoneTown[] = [
  zoneTown(['Riverside', 33.9806, -117.3755, 300, 92501, 92503, 92504, 92505, 92506, 92507], 9.5, 1100, 4),
  zoneTown(['San Bernardino', 34.1083, -117.2898, 170, 92401, 92404, 92405, 92407, 92410, 92411], 9, 1015, 2),
  zoneTown(['Fontana', 34.0922, -117.435, 175, 92335, 92336, 92337], 7.8, 960, 2),
  zoneTown(['Moreno Valley', 33.9375, -117.2306, 180, 92551, 92553, 92555, 92557], 8.5, 1060, 3),
  zoneTown(['Rancho Cucamonga', 34.1064, -117.5931, 210, 91701, 91730, 91737, 91739], 7.3, 1040, 3),
  zoneTown(['Ontario', 34.0633, -117.6509, 150, 91761, 91762, 91764], 7, 940, 2),
  zoneTown(['Corona', 33.8753, -117.5664, 170, 92879, 92880, 92881, 92882, 92883], 9, 1000, 2, 'Corona & Norco'),
  zoneTown(['Redlands', 34.0556, -117.1825, 110, 92373, 92374], 7.5, 985, 2),
  zoneTown(['Temecula', 33.4936, -117.1484, 150, 92590, 92591, 92592], 9, 915, 2),
  zoneTown(['Murrieta', 33.5539, -117.2139, 120, 92562, 92563], 8.2, 915, 2),
  zoneTown(['Chino Hills', 33.9898, -117.7326, 90, 91709], 7.5, 870, 1, 'Chino & Chino Hills'),
  zoneTown(['Upland', 34.0975, -117.6484, 80, 91784, 91786], 6.7, 900, 1),
  zoneTown(['Eastvale', 33.9525, -117.5848, 70, 92880], 6.5, 720, 1),
  zoneTown(['Jurupa Valley', 33.9972, -117.4855, 75, 92509], 7.5, 690, 1),
  zoneTown(['Rialto', 34.1064, -117.3703, 65, 92376, 92377], 8.2, 655, 1),
  zoneTown(['Menifee', 33.6971, -117.185, 95, 92584, 92585, 92586], 8.5, 640, 1),
  zoneTown(['Perris', 33.7825, -117.2286, 55, 92570, 92571], 8, 610, 1),
  zoneTown(['Lake Elsinore', 33.6681, -117.3273, 55, 92530, 92532], 8, 575, 1),
  zoneTown(['Hemet', 33.7476, -116.9719, 60, 92543, 92544, 92545], 8.5, 560, 1, 'Hemet & San Jacinto'),
  zoneTown(['Yucaipa', 34.0336, -117.0431, 45, 92399], 7, 530, 1),
  zoneTown(['Victorville', 34.5362, -117.2928, 75, 92392, 92394, 92395], 9, 500, 2),
  zoneTown(['Beaumont', 33.9295, -116.977, 50, 92223], 11.5, 330, 1, 'Beaumont & Banning'),
  zoneTown(['Hesperia', 34.4264, -117.3009, 45, 92344, 92345], 8, 245, 1),
  zoneTown(['Palm Springs', 33.8303, -116.5453, 70, 92262, 92264], 9, 150, 2),
]

/** Towns without their own zone: in the zone of a neighbor, not opened yet, or far away. */
const otherTowns: readonly Town[] = (
  [
    ['Norco', 33.9311, -117.5487, 25, 92860],
    ['Chino', 34.0122, -117.6889, 70, 91710],
    ['Montclair', 34.0775, -117.6898, 25, 91763],
    ['Colton', 34.0739, -117.3137, 30, 92324],
    ['Grand Terrace', 34.0339, -117.3137, 18, 92313],
    ['Loma Linda', 34.0483, -117.2612, 40, 92354],
    ['Highland', 34.1283, -117.2086, 32, 92346],
    ['Calimesa', 33.9956, -117.06, 12, 92320],
    ['Wildomar', 33.5989, -117.28, 25, 92595],
    ['Canyon Lake', 33.685, -117.2731, 12, 92587],
    ['San Jacinto', 33.7839, -116.9586, 24, 92582, 92583],
    ['Banning', 33.9256, -116.8764, 14, 92220],
    ['Cathedral City', 33.7797, -116.4653, 22, 92234],
    ['Apple Valley', 34.5008, -117.1859, 34, 92307, 92308],
    ['Palm Desert', 33.7222, -116.3745, 46, 92211, 92260],
    ['Indio', 33.7206, -116.2156, 40, 92201, 92203],
    ['La Quinta', 33.6634, -116.31, 20, 92253],
    ['Coachella', 33.6803, -116.1739, 10, 92236],
    ['Desert Hot Springs', 33.9611, -116.5017, 12, 92240],
    ['Adelanto', 34.5828, -117.4092, 9, 92301],
    ['Big Bear Lake', 34.2439, -116.9114, 17, 92315],
    ['Lake Arrowhead', 34.2483, -117.1893, 13, 92352],
    ['Crestline', 34.2419, -117.2856, 7, 92325],
    ['Barstow', 34.8958, -117.0173, 12, 92311],
    ['Yucca Valley', 34.1142, -116.4322, 15, 92284],
    ['Joshua Tree', 34.1347, -116.3131, 8, 92252],
    ['Twentynine Palms', 34.1356, -116.0542, 6, 92277],
    ['Idyllwild', 33.74, -116.7189, 6, 92549],
    ['Blythe', 33.6103, -114.5964, 4, 92225],
    ['Needles', 34.8481, -114.6141, 2, 92363],
  ] satisfies Line[]
).map((line) => town(line as Line))

export const towns: readonly Town[] = [...zoneTowns, ...otherTowns]
