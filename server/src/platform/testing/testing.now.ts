/** The default time in tests: a Monday morning in California. */
export const TEST_NOW = '2026-11-16T17:00:00.000Z'
