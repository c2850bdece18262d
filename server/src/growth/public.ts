/** Computes the growth figures from the rows. */
export { refreshFigures } from './keep-figures.ts'
export { markTasks } from './mark-tasks.ts'
export { measureCity } from './measure-city.ts'
