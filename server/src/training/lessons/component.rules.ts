import type { MixedComponent } from '@limber/contract/training/lessons/content.ts'

export type ComponentWithId = MixedComponent & { id: number }

/** Components with ids. A component saved before ids existed uses its index. */
export const withIds = (components: readonly MixedComponent[]): ComponentWithId[] =>
  components.map((component, place) => ({ ...component, id: component.id ?? place }))

const questionIds = (component: MixedComponent) =>
  component.type === 'quiz' ? component.content.questions.map(({ id }) => id) : []

/**
 * Assigns an id to every component without one. A quiz that shares a question with an earlier quiz keeps the id of that
 * quiz, and with it its attempts. Every other component gets a new id, starting at `firstId`.
 */
export function assignIds(
  components: readonly MixedComponent[],
  previous: readonly MixedComponent[],
  firstId: number,
): ComponentWithId[] {
  const before = withIds(previous)
  const taken = new Set(components.flatMap(({ id }) => id ?? []))
  const known = new Set(before.map(({ id }) => id))
  const findPrevious = (component: MixedComponent) => {
    const ids = new Set(questionIds(component))
    return before.find((one) => !taken.has(one.id) && questionIds(one).some((id) => ids.has(id)))?.id
  }
  const nextId = () => {
    let id = firstId
    while (taken.has(id) || known.has(id)) id += 1
    return id
  }
  return components.map((component) => {
    const id = component.id ?? findPrevious(component) ?? nextId()
    taken.add(id)
    return { ...component, id }
  })
}
