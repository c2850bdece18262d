import type { Answer, Question } from '@limber/contract/training/lessons/question.ts'

interface Props {
  question: Question
  answer: Answer | undefined
  isDone: boolean
  /** Whether the answer was correct; undefined for an unscored question. */
  verdict?: boolean | undefined
  onAnswer: (answer: Answer) => void
}

const optionsOf = ({ type, options }: Question) => (type === 'true_false' ? ['True', 'False'] : options)

const correctOptions = ({ type, correctAnswer, correctAnswers }: Question): readonly number[] =>
  type === 'multiple_select' ? correctAnswers : correctAnswer === null ? [] : [correctAnswer]

/** One question with its answers, and the correct ones after submission. */
export function QuestionView({ question, answer, isDone, verdict, onAnswer }: Props) {
  const { id, type } = question
  const isSelect = type === 'multiple_select'
  const chosen = Array.isArray(answer) ? answer : []
  const right = correctOptions(question)
  const toggle = (index: number, isOn: boolean) =>
    onAnswer(isOn ? [...chosen, index] : chosen.filter((one) => one !== index))
  return (
    <fieldset disabled={isDone} data-own-keys>
      <legend>{question.trainingQuizQuestion}</legend>
      {type === 'short_answer' ? (
        <input
          type="text"
          aria-label="Your answer"
          maxLength={2000}
          value={typeof answer === 'string' ? answer : ''}
          data-right={isDone ? verdict : undefined}
          onChange={(event) => onAnswer(event.currentTarget.value)}
        />
      ) : (
        optionsOf(question).map((option, index) => {
          const isOn = isSelect ? chosen.includes(index) : answer === index
          const mark =
            isDone && right.length > 0 ? (right.includes(index) ? 'true' : isOn ? 'false' : undefined) : undefined
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its position
            <label key={index} className="option" data-right={mark}>
              <input
                type={isSelect ? 'checkbox' : 'radio'}
                name={`question-${id}`}
                checked={isOn}
                onChange={(event) => (isSelect ? toggle(index, event.currentTarget.checked) : onAnswer(index))}
              />
              <span>{option}</span>
            </label>
          )
        })
      )}
      {isDone && (
        <p className="note">
          <strong>{verdict === undefined ? 'Not scored.' : verdict ? 'Correct.' : 'Incorrect.'}</strong>{' '}
          {type === 'short_answer' &&
            question.acceptedAnswers.length > 0 &&
            `Accepted: ${question.acceptedAnswers.join(', ')}. `}
          {question.trainingQuizExplanation}
        </p>
      )}
    </fieldset>
  )
}
