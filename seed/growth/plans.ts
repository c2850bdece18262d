/** What the growth team set out to do for a city. */
export interface Plan {
  city: string
  title: string
  details: string
  /** Days ago. */
  begun: number
  priority: 'low' | 'medium' | 'high'
  /** The due day, in days from today. */
  due?: number
  /** Days ago; absent while it is open. */
  done?: number
  /** The place in the team of who does it; absent while nobody does. */
  by?: number
}

export const plans: readonly Plan[] = [
  {
    city: 'Riverside',
    title: 'Flyers at the Canyon Crest gyms',
    details: 'Three gyms will put them on the counter. Count sign-ups that mention a gym.',
    begun: 104,
    priority: 'medium',
    due: -80,
    done: 82,
    by: 0,
  },
  {
    city: 'Palm Springs',
    title: 'Open city: Palm Springs',
    details: 'Two stretchers hired, zone drawn. Contact the hotels on the list.',
    begun: 98,
    priority: 'high',
    due: -60,
    done: 61,
    by: 0,
  },
  {
    city: 'Victorville',
    title: 'Evening slots for shift workers',
    details: 'Ask the High Desert stretchers who can work until 9 PM.',
    begun: 66,
    priority: 'medium',
    due: -20,
    done: 25,
    by: 1,
  },
  {
    city: 'Moreno Valley',
    title: 'Win back customers who stopped in summer',
    details: 'One email, one text message, then leave them alone.',
    begun: 41,
    priority: 'medium',
    due: -3,
    by: 1,
  },
  {
    city: 'Riverside',
    title: 'Hire two more stretchers for La Sierra',
    details: 'Most evenings are booked a week ahead.',
    begun: 12,
    priority: 'high',
    due: 9,
    by: 0,
  },
  {
    city: 'Palm Desert',
    title: 'Open city: Palm Desert',
    details: 'People drive to Palm Springs. Find a stretcher who lives there.',
    begun: 33,
    priority: 'high',
    due: 21,
    by: 0,
  },
  { city: 'Indio', title: 'Open city: Indio', details: '', begun: 8, priority: 'medium', due: 40, by: 1 },
  {
    city: 'Apple Valley',
    title: 'Extend the Victorville zone',
    details: 'Most of Apple Valley is twelve minutes from Victorville.',
    begun: 5,
    priority: 'low',
  },
  {
    city: 'Temecula',
    title: 'Pitch an on-site day to the wineries',
    details: 'Two of them contacted us first.',
    begun: 3,
    priority: 'medium',
    due: 14,
    by: 1,
  },
  {
    city: 'Rancho Cucamonga',
    title: 'Booth at the Victoria Gardens market',
    details: 'Second Saturday of the month.',
    begun: 2,
    priority: 'low',
    due: 27,
  },
]
