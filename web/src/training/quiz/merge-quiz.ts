import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { isSame, mergeMine } from '#ui/form/use-versioned-save.ts'

type Quiz = ContentOf<'quiz'>

const byId = (questions: readonly Question[]) => new Map(questions.map((one) => [one.id, one]))

/** Are the questions that both lists hold in the same order? */
function isSameOrder(a: readonly Question[], b: readonly Question[]): boolean {
  const [inA, inB] = [byId(a), byId(b)]
  const ids = (list: readonly Question[], other: Map<string, Question>) =>
    list.filter(({ id }) => other.has(id)).map(({ id }) => id)
  return isSame(ids(a, inB), ids(b, inA))
}

/** One question of both versions; nothing when somebody deleted it and nobody changed it. */
function mergeOne(base: Question | undefined, theirs: Question | undefined, mine: Question | undefined) {
  if (theirs && mine) return isSame(mine, base) ? theirs : mine
  const left = theirs ?? mine
  return base && isSame(left, base) ? undefined : left
}

/**
 * A quiz that two people changed: rules field by field, questions one by one. `disputed` are the questions that both
 * changed, each in another way: they are mine in the result.
 */
export function mergeQuiz(base: Quiz, theirs: Quiz, mine: Quiz): { quiz: Quiz; disputed: Question[] } {
  const [before, others, own] = [byId(base.questions), byId(theirs.questions), byId(mine.questions)]
  // Whoever moved questions decides their order; who did not, follows.
  const order = isSameOrder(base.questions, theirs.questions) ? [own, others] : [others, own]
  const ids = new Set(order.flatMap((list) => [...list.keys()]))
  const questions = [...ids].flatMap((id) => mergeOne(before.get(id), others.get(id), own.get(id)) ?? [])
  const disputed = theirs.questions.filter((other) => {
    const [was, is] = [before.get(other.id), own.get(other.id)]
    return was && is && !isSame(was, other) && !isSame(was, is) && !isSame(other, is)
  })
  return { quiz: { ...mergeMine(base, theirs, mine), questions }, disputed }
}
