import type { PromiseDraft } from '@limber/contract/support/promises/promise.ts'

const weekday = { from: '09:00', to: '17:00' }

/** Office hours from Monday to Friday; Gold is answered within an hour. */
export const draftPromises = (overrides: Partial<PromiseDraft> = {}): PromiseDraft => ({
  week: [null, weekday, weekday, weekday, weekday, weekday, null],
  holidays: [{ day: '2026-11-26', name: 'Thanksgiving Day' }],
  targets: {
    first: {
      high: { Platinum: 30, Gold: 60, Silver: 60, Bronze: 120 },
      medium: { Platinum: 60, Gold: 60, Silver: 120, Bronze: 240 },
      low: { Platinum: 240, Gold: 480, Silver: 480, Bronze: null },
    },
    next: {
      high: { Platinum: 30, Gold: 60, Silver: 60, Bronze: 120 },
      medium: { Platinum: 60, Gold: 120, Silver: 120, Bronze: 240 },
      low: { Platinum: 240, Gold: 480, Silver: 480, Bronze: null },
    },
  },
  ...overrides,
})
