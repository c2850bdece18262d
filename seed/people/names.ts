import type { Random } from '../random.ts'

interface Heritage {
  weight: number
  first: readonly string[]
  last: readonly string[]
}

const heritage = (weight: number, first: string, last: string): Heritage => ({
  weight,
  first: first.split(' '),
  last: last.split(','),
})

// Roughly the population of the two counties.
const heritages: readonly Heritage[] = [
  heritage(
    46,
    'María José Guadalupe Luis Alejandra Carlos Daniela Miguel Sofía Juan Valeria Jesús Camila Diego Ximena Ángel Fernanda Javier Mariana Ricardo Lucía Eduardo Gabriela Francisco Isabel Manuel Adriana Sergio Yesenia Rubén Araceli Héctor Brenda Arturo Claudia Oscar Leticia Raúl Esmeralda Iván Paola César Rocío Alfredo Jazmín Hugo Lorena Emilio Marisol Andrés Verónica Roberto Nayeli Salvador Itzel Gerardo Monserrat Ernesto Perla Joaquín',
    'García,Hernández,López,Martínez,González,Rodríguez,Pérez,Sánchez,Ramírez,Torres,Flores,Rivera,Gómez,Díaz,Reyes,Morales,Cruz,Ortiz,Gutiérrez,Chávez,Ramos,Ruiz,Mendoza,Álvarez,Jiménez,Castillo,Vásquez,Moreno,Herrera,Medina,Aguilar,Vargas,Guzmán,Muñoz,Salazar,Garza,Soto,Contreras,Delgado,Rojas,Ríos,Silva,Cervantes,Ayala,Figueroa,Navarro,Cisneros,Villanueva,Zamora,Barragán,Ochoa,Macías,Trujillo,Escobedo,Arellano,Beltrán,Cárdenas,Espinoza,Lozano,Quintero',
  ),
  heritage(
    28,
    'Jennifer Michael Ashley Christopher Jessica Matthew Amanda Joshua Sarah David Emily Andrew Megan Daniel Lauren Ryan Rachel Brandon Nicole Justin Samantha Tyler Hannah Kyle Katherine Eric Rebecca Brian Allison Kevin Heather Scott Melissa Jeffrey Kelly Mark Lisa Steven Karen Gregory Julie Patrick Erin Timothy Natalie Sean Olivia Ethan Emma Logan Abigail Connor Madison Cole Paige Wyatt Claire Garrett Brooke Trevor',
    "Smith,Johnson,Miller,Anderson,Wilson,Taylor,Thomas,Moore,Martin,Thompson,White,Clark,Lewis,Walker,Hall,Allen,Young,King,Wright,Hill,Scott,Green,Baker,Nelson,Carter,Mitchell,Roberts,Phillips,Campbell,Parker,Evans,Edwards,Collins,Stewart,Morris,Murphy,Cook,Rogers,Peterson,Cooper,Reed,Bailey,Kelly,Howard,Cox,Ward,Richardson,Wood,Bennett,Gray,Hughes,Price,Myers,Sullivan,Foster,Russell,Schroeder,Hoffman,Lindgren,O'Connor",
  ),
  heritage(
    10,
    'Aaliyah Darius Imani Malik Keisha Terrence Destiny Andre Jasmine Marcus Kiara DeShawn Tiffany Jamal Ebony Tyrone Brianna Xavier Nia Isaiah Monique Elijah Latoya Reggie Simone Trevon Amara Kendrick Zuri Jalen',
    'Williams,Jones,Brown,Davis,Jackson,Harris,Robinson,Washington,Jefferson,Banks,Booker,Coleman,Dixon,Franklin,Gaines,Hampton,Ingram,Joseph,Mosley,Okafor,Adeyemi,Porter,Rhodes,Simmons,Tucker,Vaughn,Whitaker,Charles,Mensah,Bell',
  ),
  heritage(
    9,
    'Linh Kevin Mei Andrew Grace Jason Christine Eugene Thuy Minh Angela Raymond Michelle Vincent Maricel Rodel Cherry Arnel Jocelyn Hiroshi Yuki Ji-woo Min-jun Hana Wei Anthony Trang Duc Liezel Paolo',
    'Nguyen,Tran,Pham,Le,Chen,Wang,Li,Liu,Kim,Park,Lee,Choi,Santos,Reyes,Bautista,Aquino,Villanueva,Dela Cruz,Mendoza,Tanaka,Sato,Yamamoto,Wong,Chang,Huang,Lin,Vu,Hoang,Manalo,Pascual',
  ),
  heritage(
    5,
    'Priyanka Arjun Anjali Rohan Deepa Vikram Neha Sanjay Fatima Omar Layla Yusuf Zainab Karim Leila Amir Ani Armen Talar Hagop Nadia Samir Simran Gurpreet Harjit Meera',
    'Patel,Singh,Sharma,Gupta,Reddy,Kaur,Shah,Khan,Ahmed,Hussain,Haddad,Nassar,Saleh,Rahman,Petrosyan,Sarkissian,Hakobyan,Karimi,Farahani,Gill,Sandhu,Mehta,Desai,Iyer,Qureshi,Mansour',
  ),
  heritage(
    2,
    'Kai Leilani Sione Malia Tavita Nalani Shawna Wade Tala Keoni Winona Dakota',
    'Kealoha,Faleafine,Tuiasosopo,Kahale,Morongo,Arviso,Begay,Lubo,Siva,Castello,Kamaka,Leota',
  ),
]
const weights = heritages.map(({ weight }) => weight)

export interface PersonName {
  first_name: string
  last_name: string
}

/** A typical name of the Inland Empire. Some last names come from another heritage or are double names. */
export function pickName(random: Random): PersonName {
  const own = heritages[random.weighted(weights)] ?? random.pick(heritages)
  const other = random.chance(0.14) ? (heritages[random.weighted(weights)] ?? own) : own
  const last = random.pick(other.last)
  const second = random.chance(0.07) ? random.pick(own.last) : last
  return { first_name: random.pick(own.first), last_name: second === last ? last : `${last}-${second}` }
}
