import type { MixedComponent } from '@limber/contract/training/lessons/content.ts'

export type NamedComponent = MixedComponent & { id: number }

/** Components with ids. A component saved before ids existed uses its index. */
export const withIds = (components: readonly MixedComponent[]): NamedComponent[] =>
  components.map((component, place) => ({ ...component, id: component.id ?? place }))

const questionIds = (component: MixedComponent) =>
  component.type === 'quiz' ? component.content.questions.map(({ id }) => id) : []

/**
 * Assigns an id to every component without one. A quiz that shares a question with an earlier quiz keeps the id of that
 * quiz, and with it its attempts. Every other component gets a new id, starting at `fresh`.
 */
export function nameComponents(
  components: readonly MixedComponent[],
  former: readonly MixedComponent[],
  fresh: number,
): NamedComponent[] {
  const before = withIds(former)
  const taken = new Set(components.flatMap(({ id }) => id ?? []))
  const known = new Set(before.map(({ id }) => id))
  const findFormer = (component: MixedComponent) => {
    const asked = new Set(questionIds(component))
    return before.find((one) => !taken.has(one.id) && questionIds(one).some((id) => asked.has(id)))?.id
  }
  const begin = () => {
    let id = fresh
    while (taken.has(id) || known.has(id)) id += 1
    return id
  }
  return components.map((component) => {
    const id = component.id ?? findFormer(component) ?? begin()
    taken.add(id)
    return { ...component, id }
  })
}
