/** Makes a label of an action type or outcome: `profile_viewed` becomes 'Profile viewed'. */
export function actionLabel(type: string): string {
  const text = type.replace(/[_.:-]+/g, ' ').trim() || type
  return text.charAt(0).toUpperCase() + text.slice(1)
}
