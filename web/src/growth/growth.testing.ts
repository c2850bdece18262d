import type { CitySummary } from '@limber/contract/growth/map/city.ts'
import type { GrowthMap, MapZone } from '@limber/contract/growth/map/map.ts'
import type { FigureRows } from '@limber/contract/growth/overview/figure.ts'
import type { HealthOverview, HealthTrends } from '@limber/contract/growth/overview/health.ts'
import type { CityTask } from '@limber/contract/growth/tasks/task.ts'
import { type PlaceMetrics, payoutCategories, type Span } from '@limber/contract/growth/values.ts'

export const span: Span = {
  range: '30d',
  from: '2026-10-18',
  to: '2026-11-16',
  refreshedAt: '2026-11-16T16:58:00.000Z',
}

const nothing = { total: 0, count: 0, avg: 0 }
const metrics: PlaceMetrics = {
  users: 1284,
  activeUsers: 902,
  churnedUsers: 61,
  sessions: 648,
  bookedSessions: 96,
  revenue: 55_080.5,
  stretchers: 17,
  avgRating: 4.8612,
  ratings: 400,
  availableCredits: 5,
  payouts: {
    ...(Object.fromEntries(payoutCategories.map((one) => [one, nothing])) as PlaceMetrics['payouts']),
    session: { total: 24_948, count: 648, avg: 38.5 },
  },
}

export const makeMapZone = (more: Partial<PlaceMetrics> = {}, id = 1, name = 'Riverside'): MapZone => ({
  id,
  name,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-117.42, 33.93],
        [-117.35, 33.94],
        [-117.33, 33.99],
        [-117.42, 33.93],
      ],
    ],
  },
  metrics: { ...metrics, ...more },
  previous: {
    users: 1200,
    activeUsers: 910,
    churnedUsers: 50,
    sessions: 600,
    revenue: 50_000,
    stretchers: 16,
    avgRating: 4.8,
    ratings: 380,
    availableCredits: 4,
    payouts: 20_000,
  },
})

export const makeMap = (more: Partial<GrowthMap> = {}): GrowthMap => ({
  zones: [makeMapZone(), makeMapZone({ users: 300 }, 2, 'Redlands')],
  outliers: [{ city: 'Perris', lat: 33.78, lng: -117.23, users: 61 }],
  outsideUsers: 61,
  span,
  ...more,
})

export const makeTask = (more: Partial<CityTask> = {}): CityTask => ({
  id: 5,
  title: 'Second stretcher pair',
  details: '',
  due: '2026-11-24',
  priority: 'medium',
  type: 'growth',
  status: 'open',
  cityName: 'Riverside',
  assignedTo: null,
  assigneeId: null,
  createdBy: 'Priya Raman',
  createdAt: '2026-10-01T16:00:00.000Z',
  doneAt: null,
  figures: { users: 1200, activeUsers: 900, sessions: 600, revenue: 50_000 },
  marks: [
    { afterDays: 30, change: { users: 38, activeUsers: -2, sessions: 12, revenue: 800 } },
    { afterDays: 60, change: { users: 41, activeUsers: 0, sessions: -5, revenue: -120 } },
  ],
  version: 1,
  ...more,
})

export const makeCity = (more: Partial<CitySummary> = {}): CitySummary => ({
  name: 'Riverside',
  zoneId: 1,
  box: { west: -117.5, south: 33.8, east: -117.3, north: 34 },
  metrics,
  tasks: [makeTask()],
  campaigns: [],
  span,
  ...more,
})

export const makeOverview = (): HealthOverview => ({
  users: {
    total: 3000,
    withAddress: 2500,
    withinServiceArea: 2300,
    outsideServiceArea: 200,
    withWaiver: 2000,
    joined: 90,
    growthPct: 3.09,
    churned: 120,
    churnRatePct: 11.5,
  },
  bookings: { current: 1500, previous: 1600, growthPct: -6.25, cancelled: 130 },
  businesses: { total: 17, upcomingRenewals: 1, noRecentContact: 1 },
  warnings: [
    ...(
      [
        ['pilot', 5, 'Box Springs Solar', '2026-11-10', true],
        ['renewal', 6, 'Citrus Belt Brewing', '2026-11-12', true],
        ['renewal', 3, 'Mission Inn', '2026-11-20', false],
        ['no_contact', 4, 'Desert Valley Health', '2026-10-01', false],
      ] as const
    ).map(([kind, businessId, name, day, isOverdue]) => ({
      kind,
      businessId,
      name,
      day,
      isOverdue,
      neverContacted: false,
    })),
  ],
  span,
})

const line = [1, 4, 2].map((count, place) => ({ date: `2026-11-1${place + 4}`, count }))
export const makeTrends = (): HealthTrends => ({
  userGrowth: line,
  churn: line,
  bookings: line,
  businesses: line,
  span,
})

/** One of 120 people behind a figure. */
export const makeRows = (more: Partial<FigureRows> = {}): FigureRows => ({
  value: 120,
  rows: [
    {
      id: 9,
      name: 'Jordan Reyes',
      detail: 'jordan@example.com',
      place: 'Riverside',
      day: '2026-11-01',
      amount: null,
      userId: 9,
    },
  ],
  pagination: { page: 1, limit: 10, totalItems: 120, totalPages: 12 },
  span,
  ...more,
})
