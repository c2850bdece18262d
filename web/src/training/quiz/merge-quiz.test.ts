// @module-tag slow
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { describe, expect, it } from 'vitest'
import { makeQuestion } from '../training.testing.ts'
import { mergeQuiz } from './merge-quiz.ts'

const ask = (id: string, text = id) => makeQuestion({ id, trainingQuizQuestion: text })
const quizOf = (...questions: ReturnType<typeof ask>[]) => ({ ...defaultContent('quiz'), questions })
const textsOf = ({ questions }: ReturnType<typeof quizOf>) => questions.map((one) => one.trainingQuizQuestion)
const base = quizOf(ask('a'), ask('b'), ask('c'))

describe('a quiz that two workers changed', () => {
  it('keeps what each of them added, changed and deleted', () => {
    const theirs = quizOf(ask('a', 'A theirs'), ask('b'), ask('c'), ask('d'))
    const mine = quizOf(ask('a'), ask('c', 'C mine'), ask('e'))
    const { quiz, disputed } = mergeQuiz(base, theirs, mine)
    expect(textsOf(quiz)).toEqual(['A theirs', 'C mine', 'e', 'd'])
    expect(disputed).toEqual([])
  })

  it('keeps a question that one deleted and the other changed', () => {
    expect(
      textsOf(mergeQuiz(base, quizOf(ask('a'), ask('b')), quizOf(ask('a'), ask('b'), ask('c', 'C'))).quiz),
    ).toEqual(['a', 'b', 'C'])
    expect(
      textsOf(mergeQuiz(base, quizOf(ask('a', 'A'), ask('b'), ask('c')), quizOf(ask('b'), ask('c'))).quiz),
    ).toContain('A')
  })

  it('returns the question that both changed', () => {
    const { quiz, disputed } = mergeQuiz(base, quizOf(ask('a', 'theirs')), quizOf(ask('a', 'mine'), ask('b'), ask('c')))
    expect(disputed.map((one) => one.trainingQuizQuestion)).toEqual(['theirs'])
    expect(textsOf(quiz)[0]).toBe('mine')
  })

  it('uses the order of the version that moved questions', () => {
    const turned = quizOf(ask('c'), ask('b'), ask('a'))
    expect(textsOf(mergeQuiz(base, turned, base).quiz)).toEqual(['c', 'b', 'a'])
    expect(textsOf(mergeQuiz(base, base, turned).quiz)).toEqual(['c', 'b', 'a'])
  })

  it('keeps the settings that each of them changed', () => {
    const { quiz } = mergeQuiz(base, { ...base, passingScore: 90 }, { ...base, maxAttempts: 9 })
    expect([quiz.passingScore, quiz.maxAttempts]).toEqual([90, 9])
  })
})
