import type { GameData } from '@limber/contract/training/lessons/game.ts'
import { useState } from 'react'
import { moveItem } from '../courses/use-reorder.ts'
import { shuffled } from './shuffle.ts'

const nothing = (what: string) => <p className="missing">{`No ${what} yet.`}</p>

/** Flashcards that flip. */
export function Flashcards({ cards }: GameData<'flashcards'>) {
  const [at, setAt] = useState(0)
  const [isTurned, setTurned] = useState(false)
  const card = cards[at]
  if (!card) return nothing('cards')
  const go = (to: number) => {
    setAt(to)
    setTurned(false)
  }
  return (
    <>
      <button type="button" className="portal-card flash" aria-live="polite" onClick={() => setTurned(!isTurned)}>
        {card.image && !isTurned && <img src={card.image} alt="" />}
        <span>{isTurned ? card.back : card.front}</span>
        <span className="note">{isTurned ? 'Back' : 'Front: press to flip'}</span>
      </button>
      <div className="row">
        <button type="button" className="portal-button quiet" disabled={at === 0} onClick={() => go(at - 1)}>
          Previous card
        </button>
        <span className="note">{`Card ${at + 1} of ${cards.length}`}</span>
        <button
          type="button"
          className="portal-button quiet"
          disabled={at + 1 >= cards.length}
          onClick={() => go(at + 1)}
        >
          Next card
        </button>
      </div>
    </>
  )
}

/** Matches left and right; the right side is shuffled. */
export function MatchPairs({ pairs }: GameData<'match_pairs'>) {
  const [right] = useState(() => shuffled(pairs.map((_, index) => index)))
  const [chosen, setChosen] = useState<number>()
  const [found, setFound] = useState<ReadonlySet<number>>(new Set())
  const [wrong, setWrong] = useState<number>()
  if (pairs.length === 0) return nothing('pairs')
  const answer = (index: number) => {
    if (chosen === undefined) return
    // Two pairs may have the same right side, so compare the text.
    const isMatch = pairs[chosen]?.right === pairs[index]?.right
    setWrong(isMatch ? undefined : index)
    if (isMatch) setFound(new Set(found).add(chosen))
    setChosen(undefined)
  }
  const sideText = (index: number, side: 'left' | 'right') => pairs[index]?.[side] ?? ''
  return (
    <>
      <div className="pairs">
        <div className="steps">
          {pairs.map((pair, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a pair is identified by its position
              key={index}
              type="button"
              className="pick"
              aria-pressed={chosen === index}
              disabled={found.has(index)}
              data-state={found.has(index) ? 'right' : undefined}
              onClick={() => setChosen(index)}
            >
              {pair.left}
            </button>
          ))}
        </div>
        <div className="steps">
          {right.map((index) => (
            <button
              key={index}
              type="button"
              className="pick"
              disabled={chosen === undefined || found.has(index)}
              data-state={found.has(index) ? 'right' : wrong === index ? 'wrong' : undefined}
              onClick={() => answer(index)}
            >
              {sideText(index, 'right')}
            </button>
          ))}
        </div>
      </div>
      <p role="status" className="verdict">
        {wrong !== undefined
          ? 'These do not match.'
          : found.size === pairs.length
            ? 'All pairs are matched.'
            : `${found.size} of ${pairs.length} matched`}
      </p>
    </>
  )
}

/** Shuffled steps to put in order. */
export function OrderSteps({ steps }: GameData<'order_steps'>) {
  const [order, setOrder] = useState(() => shuffled(steps.map((_, index) => index)))
  const [isChecked, setChecked] = useState(false)
  if (steps.length === 0) return nothing('steps')
  const move = (from: number, to: number) => {
    setOrder(moveItem(order, from, to))
    setChecked(false)
  }
  const right = order.filter((index, place) => steps[index] === steps[place]).length
  return (
    <>
      <ol className="steps">
        {order.map((index, place) => (
          <li key={index} data-state={isChecked ? (steps[index] === steps[place] ? 'right' : 'wrong') : undefined}>
            <span>{`${place + 1}. ${steps[index]}`}</span>
            <span className="row">
              <button
                type="button"
                className="portal-button quiet"
                aria-label={`Move up: ${steps[index]}`}
                disabled={place === 0}
                onClick={() => move(place, place - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                className="portal-button quiet"
                aria-label={`Move down: ${steps[index]}`}
                disabled={place + 1 === order.length}
                onClick={() => move(place, place + 1)}
              >
                ↓
              </button>
            </span>
          </li>
        ))}
      </ol>
      <div className="row start">
        <button type="button" className="portal-button" onClick={() => setChecked(true)}>
          Check order
        </button>
        <span role="status" className="verdict">
          {isChecked &&
            (right === steps.length
              ? 'The order is correct.'
              : `${right} of ${steps.length} steps are in the correct position.`)}
        </span>
      </div>
    </>
  )
}
