/** The selectors of a course page, for custom styles. */
export const selectorHints = [
  { selector: '.training-portal-container', what: 'the training portal container' },
  { selector: '.portal-card', what: 'the portal card' },
  { selector: '.portal-button', what: 'the portal button' },
  { selector: '.lesson-content', what: 'the lesson content' },
] as const
