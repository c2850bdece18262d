export { findCampaignResult, markCampaigns } from './campaigns/mark-campaigns.ts'
export { insertCampaignPlace } from './campaigns/result.queries.ts'
/** Calculates the growth figures from the rows. */
export { refreshFigures } from './figures/refresh-figures.ts'
export { markTasks } from './tasks/mark-tasks.ts'
export { measureCity } from './tasks/measure-city.ts'
