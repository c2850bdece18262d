/** A certification type of the company. */
export interface TypePlan {
  name: string
  description: string
  months: number | null
  isRequired?: boolean
  isRetired?: boolean
  /** The share of trained stretchers who have it. */
  share: number
}

export const typePlans: readonly TypePlan[] = [
  {
    name: 'Certified Stretch Practitioner',
    description:
      'Sixty hours of supervised practice in assisted stretching, anatomy, and client safety, plus a practical exam.',
    months: 24,
    isRequired: true,
    share: 1,
  },
  {
    name: 'On-Site Session Care',
    description: 'Running seated and table sessions at partner businesses: setup, hygiene, timing, and privacy.',
    months: 12,
    share: 0.55,
  },
  {
    name: 'First Aid and CPR',
    description: 'First aid, CPR, and defibrillator (AED) use for adults.',
    months: 24,
    share: 0.8,
  },
  {
    name: 'Prenatal Stretching',
    description: 'Adapted positions, contraindications, and communication during pregnancy.',
    months: 36,
    share: 0.25,
  },
  {
    name: 'Lead Practitioner',
    description: 'Mentors new stretchers and grades their practical exams.',
    months: null,
    share: 0.12,
  },
  {
    name: 'Foam Rolling Coach',
    description: 'Self-massage with rollers and balls. Now part of basic training.',
    months: null,
    isRetired: true,
    share: 0.15,
  },
]

export const instructors = ['Ines Park', 'Ravi Menon', 'Colette Dubois', 'Andre Whitaker'] as const

export const revocations = [
  'Left before retaking the practical exam',
  'Issued to the wrong account',
  'Client safety complaint upheld',
] as const
