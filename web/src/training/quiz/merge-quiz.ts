import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { isSame, mergeMine } from '#ui/form/use-versioned-save.ts'

type Quiz = ContentOf<'quiz'>

const byId = (questions: readonly Question[]) => new Map(questions.map((one) => [one.id, one]))

/** Whether the questions in both lists are in the same order. */
function isSameOrder(a: readonly Question[], b: readonly Question[]): boolean {
  const [inA, inB] = [byId(a), byId(b)]
  const ids = (list: readonly Question[], other: Map<string, Question>) =>
    list.filter(({ id }) => other.has(id)).map(({ id }) => id)
  return isSame(ids(a, inB), ids(b, inA))
}

/** Merges one question; undefined if one side deleted it and the other did not change it. */
function mergeOne(base: Question | undefined, theirs: Question | undefined, mine: Question | undefined) {
  if (theirs && mine) return isSame(mine, base) ? theirs : mine
  const left = theirs ?? mine
  return base && isSame(left, base) ? undefined : left
}

/**
 * Merges two versions of a quiz: settings field by field, questions one by one. `disputed` lists the questions that
 * both changed differently; the result contains mine.
 */
export function mergeQuiz(base: Quiz, theirs: Quiz, mine: Quiz): { quiz: Quiz; disputed: Question[] } {
  const [before, others, own] = [byId(base.questions), byId(theirs.questions), byId(mine.questions)]
  // The version that moved questions decides the order.
  const order = isSameOrder(base.questions, theirs.questions) ? [own, others] : [others, own]
  const ids = new Set(order.flatMap((list) => [...list.keys()]))
  const questions = [...ids].flatMap((id) => mergeOne(before.get(id), others.get(id), own.get(id)) ?? [])
  const disputed = theirs.questions.filter((other) => {
    const [was, is] = [before.get(other.id), own.get(other.id)]
    return was && is && !isSame(was, other) && !isSame(was, is) && !isSame(other, is)
  })
  return { quiz: { ...mergeMine(base, theirs, mine), questions }, disputed }
}
