import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import {
  type Answer,
  isCorrect,
  isPassing,
  isScorable,
  isScored,
  type Question,
  scoreOf,
} from '@limber/contract/training/lessons/question.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { now } from '#platform/clock.ts'
import { clockText } from '../labels.ts'
import { QuestionView } from './question-view.tsx'
import { shuffled } from './shuffle.ts'

interface Attempt {
  number: number
  questions: readonly Question[]
  /** The deadline in milliseconds; undefined without a time limit. */
  endsAt: number | undefined
}

interface Props {
  quiz: Pick<ContentOf<'quiz'>, 'questions' | 'timeLimit' | 'randomizeQuestions' | 'passingScore' | 'maxAttempts'>
  /** The text to show when there are no questions. */
  none: string
}

/** A quiz that can be answered and scored. Nothing is stored. */
export function QuizView({ quiz, none }: Props) {
  const { timeLimit } = quiz
  const begin = (number: number): Attempt => ({
    number,
    questions: quiz.randomizeQuestions ? shuffled(quiz.questions) : quiz.questions,
    endsAt: timeLimit ? now().getTime() + timeLimit * 60_000 : undefined,
  })
  // With a time limit, the learner decides when to start.
  const [attempt, setAttempt] = useState<Attempt | undefined>(() => (timeLimit ? undefined : begin(1)))
  if (quiz.questions.length === 0) return <p className="missing">{none}</p>
  const mayTake = isScorable(quiz.questions)
  const rules = [
    pluralize(quiz.questions.length, 'question'),
    `${quiz.passingScore}% to pass`,
    `${pluralize(quiz.maxAttempts, 'attempt')}`,
    ...(timeLimit ? [pluralize(timeLimit, 'minute')] : []),
  ].join(', ')
  return (
    <section aria-label="Quiz" className="page">
      <p className="note">{rules}</p>
      {!mayTake && (
        <p className="missing">
          Nothing to score: no question in this quiz has a correct answer. Learners cannot take it.
        </p>
      )}
      {attempt ? (
        <AttemptSheet
          key={attempt.number}
          attempt={attempt}
          quiz={quiz}
          mayTake={mayTake}
          onAgain={() => setAttempt(begin(attempt.number + 1))}
        />
      ) : (
        <div className="row start">
          <button type="button" className="portal-button" disabled={!mayTake} onClick={() => setAttempt(begin(1))}>
            Start Quiz
          </button>
        </div>
      )}
    </section>
  )
}

function Countdown({ endsAt, onEnd }: { endsAt: number; onEnd: () => void }) {
  const left = () => Math.max(0, Math.ceil((endsAt - now().getTime()) / 1000))
  const [seconds, setSeconds] = useState(left)
  const tick = useEffectEvent(() => {
    setSeconds(left())
    if (left() === 0) onEnd()
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="note" role="timer">
      Time left {clockText(seconds)}
    </p>
  )
}

interface SheetProps {
  attempt: Attempt
  quiz: Props['quiz']
  /** False if nothing can be scored: the questions are only shown. */
  mayTake: boolean
  onAgain: () => void
}

function AttemptSheet({ attempt, quiz, mayTake, onAgain }: SheetProps) {
  const { questions, number, endsAt } = attempt
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map())
  const [ending, setEnding] = useState<'submitted' | 'timed out'>()
  const isDone = ending !== undefined
  const score = scoreOf(questions, answers)
  const isPassed = isPassing(score, quiz.passingScore)
  const left = quiz.maxAttempts - number
  const sheet = useRef<HTMLOListElement>(null)
  const result = useRef<HTMLDivElement>(null)
  // The pressed button is gone, so move the focus to what replaced it.
  const isBegun = number > 1 || endsAt !== undefined
  useEffect(() => {
    if (isDone) result.current?.focus()
    else if (isBegun) sheet.current?.focus()
  }, [isDone, isBegun])
  return (
    <>
      {endsAt !== undefined && !isDone && <Countdown endsAt={endsAt} onEnd={() => setEnding('timed out')} />}
      <ol ref={sheet} className="questions" aria-label="Questions" tabIndex={-1}>
        {questions.map((question) => (
          <li key={question.id}>
            <QuestionView
              question={question}
              answer={answers.get(question.id)}
              {...(isDone
                ? { verdict: isScored(question) ? isCorrect(question, answers.get(question.id)) : undefined }
                : {})}
              isDone={isDone}
              onAnswer={(answer) => setAnswers(new Map(answers).set(question.id, answer))}
            />
          </li>
        ))}
      </ol>
      {isDone ? (
        <div ref={result} role="status" className="portal-card" tabIndex={-1}>
          {ending === 'timed out' && <p>Time is up. Only the answers given so far count.</p>}
          <p className="verdict">
            {`${isPassed ? 'Passed' : 'Not passed'}: ${score.earned} of ${pluralize(score.possible, 'point')}, ${score.percent}%`}
          </p>
          {!isPassed && (
            <div className="row start">
              <button type="button" className="portal-button" disabled={left <= 0} onClick={onAgain}>
                Try again
              </button>
              <span className="note">{left > 0 ? `${pluralize(left, 'attempt')} left` : 'No attempts left.'}</span>
            </div>
          )}
        </div>
      ) : (
        <div className="row start">
          <button
            type="button"
            className="portal-button"
            disabled={answers.size === 0 || !mayTake}
            onClick={() => setEnding('submitted')}
          >
            Submit Answers
          </button>
          <span className="note">{`${answers.size} of ${questions.length} answered`}</span>
        </div>
      )}
    </>
  )
}
