import { MAX_OPTIONS, type Question, QuestionType } from '@limber/contract/training/lessons/question.ts'
import { ActionIcon, Button, Checkbox, NativeSelect, Radio, TagsInput, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { questionTypeNames } from '../labels.ts'
import { useListEntry } from '../use-list-entry.ts'
import { AnswerMark } from './answer-marks.tsx'
import { DefaultNumber } from './default-number.tsx'
import styles from './quiz.module.css'

interface Props {
  question: Question
  /** Mixed lessons have no multiple_select and require every answer of a choice question. */
  isMixed?: boolean
  onChange: (question: Question) => void
}

/** The fields of one question. */
export function QuestionForm({ question, isMixed = false, onChange }: Props) {
  const types = QuestionType.options.filter((type) => !isMixed || type !== 'multiple_select')
  const textarea = useRef<HTMLTextAreaElement>(null)
  // Each question starts with focus on its text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useEffect(() => textarea.current?.focus(), [question.id])
  return (
    <div className={styles.form}>
      <Textarea
        ref={textarea}
        data-autofocus
        label="Question"
        required
        withAsterisk
        autosize
        minRows={2}
        maxLength={2000}
        value={question.trainingQuizQuestion}
        onChange={(event) => onChange({ ...question, trainingQuizQuestion: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <NativeSelect
          label="Question type"
          value={question.type}
          data={types.map((value) => ({ value, label: questionTypeNames[value] }))}
          onChange={(event) =>
            onChange({
              ...question,
              type: event.currentTarget.value as QuestionType,
              correctAnswer: null,
              correctAnswers: [],
            })
          }
        />
        <DefaultNumber
          label="Points"
          min={1}
          max={1000}
          allowDecimal={false}
          otherwise={1}
          value={question.points}
          onChange={(points) => onChange({ ...question, points })}
        />
      </div>
      <Answers question={question} isMixed={isMixed} onChange={onChange} />
      {question.trainingQuizQuestion.trim() !== '' && (
        <AnswerMark question={question}>Mark the correct answer. Until then, this question is not scored.</AnswerMark>
      )}
      <Textarea
        label="Explanation"
        autosize
        minRows={2}
        description="Shown after the quiz."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={question.trainingQuizExplanation}
        onChange={(event) => onChange({ ...question, trainingQuizExplanation: event.currentTarget.value })}
      />
    </div>
  )
}

function Answers({ question, isMixed, onChange }: Required<Props>) {
  const name = useId()
  if (question.type === 'short_answer')
    return (
      <TagsInput
        label="Accepted answers"
        description="Case and spaces do not matter. Without an answer, the question is not scored."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder="Type an answer and press Enter"
        splitChars={['\n']}
        value={question.acceptedAnswers}
        onChange={(acceptedAnswers) => onChange({ ...question, acceptedAnswers })}
      />
    )
  if (question.type === 'true_false')
    return (
      <Radio.Group
        label="Correct answer"
        value={question.correctAnswer === null ? '' : String(question.correctAnswer)}
        onChange={(value) => onChange({ ...question, correctAnswer: Number(value) })}
      >
        <div className={styles.two}>
          <Radio value="0" label="True" />
          <Radio value="1" label="False" />
        </div>
      </Radio.Group>
    )
  return <Options question={question} isMixed={isMixed} name={name} onChange={onChange} />
}

function Options({ question, isMixed, name, onChange }: Required<Props> & { name: string }) {
  const { options } = question
  const isSelect = question.type === 'multiple_select'
  const isRight = (index: number) =>
    isSelect ? question.correctAnswers.includes(index) : question.correctAnswer === index
  const mark = (index: number, isOn: boolean) =>
    isSelect
      ? onChange({
          ...question,
          correctAnswers: isOn
            ? [...question.correctAnswers, index]
            : question.correctAnswers.filter((one) => one !== index),
        })
      : onChange({ ...question, correctAnswer: index })
  // Later answers move up, and the correct ones move with them.
  const remove = (gone: number) => {
    const shift = (index: number) => (index > gone ? index - 1 : index)
    onChange({
      ...question,
      options: options.filter((_, index) => index !== gone),
      correctAnswer:
        question.correctAnswer === gone || question.correctAnswer === null ? null : shift(question.correctAnswer),
      correctAnswers: question.correctAnswers.filter((index) => index !== gone).map(shift),
    })
  }
  const Mark = isSelect ? Checkbox : Radio
  const list = useRef<HTMLUListElement>(null)
  const mayAdd = options.length < MAX_OPTIONS
  const add = () => onChange({ ...question, options: [...options, ''] })
  const { addNext, onKeyDown } = useListEntry(list, options.length, mayAdd ? add : undefined)
  return (
    <fieldset className={styles.options}>
      <legend>Answers: mark {isSelect ? 'every correct one' : 'the correct one'}</legend>
      <ul ref={list} className={styles.answers} onKeyDown={onKeyDown}>
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer is identified by its position
          <li key={index} className={styles.option}>
            <Mark
              name={name}
              aria-label={`Answer ${index + 1} is correct`}
              checked={isRight(index)}
              onChange={(event) => mark(index, event.currentTarget.checked)}
            />
            <TextInput
              aria-label={`Answer ${index + 1}`}
              placeholder={`Answer ${index + 1}`}
              required={isMixed}
              maxLength={1000}
              value={option}
              onChange={(event) => onChange({ ...question, options: options.with(index, event.currentTarget.value) })}
            />
            <ActionIcon
              size={32}
              aria-label={`Remove answer ${index + 1}`}
              disabled={options.length <= 2}
              onClick={() => remove(index)}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<Icon of={IconPlus} size={14} />}
          disabled={!mayAdd}
          onClick={addNext}
        >
          Add answer
        </Button>
      </div>
    </fieldset>
  )
}
