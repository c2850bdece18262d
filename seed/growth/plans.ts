/** A city task of the growth team. */
export interface Plan {
  city: string
  title: string
  details: string
  /** Days ago. */
  created: number
  priority: 'low' | 'medium' | 'high'
  /** Days from today. */
  due?: number
  /** Days ago; absent if open. */
  done?: number
  /** Index of the assignee in the team; absent if unassigned. */
  assignee?: number
}

export const plans: readonly Plan[] = [
  {
    city: 'Riverside',
    title: 'Flyers at the Canyon Crest gyms',
    details: 'Three gyms will put them on the counter. Count sign-ups that mention a gym.',
    created: 104,
    priority: 'medium',
    due: -80,
    done: 82,
    assignee: 0,
  },
  {
    city: 'Palm Springs',
    title: 'Open city: Palm Springs',
    details: 'Two stretchers hired, zone drawn. Contact the hotels on the list.',
    created: 98,
    priority: 'high',
    due: -60,
    done: 61,
    assignee: 0,
  },
  {
    city: 'Victorville',
    title: 'Evening slots for shift workers',
    details: 'Ask the High Desert stretchers who can work until 9 PM.',
    created: 66,
    priority: 'medium',
    due: -20,
    done: 25,
    assignee: 1,
  },
  {
    city: 'Moreno Valley',
    title: 'Win back customers who stopped in summer',
    details: 'One email, one text message, then leave them alone.',
    created: 41,
    priority: 'medium',
    due: -3,
    assignee: 1,
  },
  {
    city: 'Riverside',
    title: 'Hire two more stretchers for La Sierra',
    details: 'Most evenings are booked a week ahead.',
    created: 12,
    priority: 'high',
    due: 9,
    assignee: 0,
  },
  {
    city: 'Palm Desert',
    title: 'Open city: Palm Desert',
    details: 'People drive to Palm Springs. Find a stretcher who lives there.',
    created: 33,
    priority: 'high',
    due: 21,
    assignee: 0,
  },
  { city: 'Indio', title: 'Open city: Indio', details: '', created: 8, priority: 'medium', due: 40, assignee: 1 },
  {
    city: 'Apple Valley',
    title: 'Extend the Victorville zone',
    details: 'Most of Apple Valley is twelve minutes from Victorville.',
    created: 5,
    priority: 'low',
  },
  {
    city: 'Temecula',
    title: 'Pitch an on-site day to the wineries',
    details: 'Two of them contacted us first.',
    created: 3,
    priority: 'medium',
    due: 14,
    assignee: 1,
  },
  {
    city: 'Rancho Cucamonga',
    title: 'Booth at the Victoria Gardens market',
    details: 'Second Saturday of the month.',
    created: 2,
    priority: 'low',
    due: 27,
  },
]
