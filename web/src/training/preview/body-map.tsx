import type { BodyView, GameData, Muscle } from '@limber/contract/training/lessons/game.ts'
import { muscles } from '@limber/contract/training/lessons/game.ts'
import { type KeyboardEvent, useState } from 'react'

type Ellipse = readonly [x: number, y: number, width: number, height: number]

// Center and radii of an ellipse on a 200 × 400 figure; limbs appear on both sides.
const both = (x: number, y: number, width: number, height: number): Ellipse[] => [
  [100 - x, y, width, height],
  [100 + x, y, width, height],
]
const regions: Record<Muscle, readonly Ellipse[]> = {
  neck: [[100, 62, 10, 9]],
  deltoids: both(38, 86, 12, 13),
  pectorals: both(16, 100, 15, 13),
  biceps: both(46, 122, 9, 18),
  forearms: both(54, 168, 8, 22),
  abdominals: [[100, 146, 13, 28]],
  obliques: both(22, 148, 7, 24),
  hip_flexors: both(17, 190, 10, 11),
  adductors: both(9, 224, 7, 20),
  quadriceps: both(23, 240, 11, 34),
  tibialis_anterior: both(23, 322, 7, 30),
  trapezius: [[100, 78, 24, 14]],
  rear_deltoids: both(38, 88, 12, 12),
  rhomboids: [[100, 106, 14, 13]],
  triceps: both(46, 122, 9, 18),
  latissimus_dorsi: both(22, 132, 12, 22),
  erector_spinae: [[100, 154, 8, 24]],
  gluteus_medius: both(22, 184, 11, 9),
  gluteus_maximus: both(16, 206, 15, 15),
  hamstrings: both(20, 256, 12, 32),
  calves: both(21, 322, 10, 26),
}

export const muscleName = (muscle: string) => muscle.replaceAll('_', ' ')

const OUTLINE =
  'M100 14a20 20 0 0 1 13 36v10c20 6 40 8 46 24l12 90-6 40-8-2-8-60-11-42-4 40 6 40-6 80 2 60-8 60H106l-4-120-2-24-2 24-4 120H72l-8-60 2-60-6-80 6-40-4-40-11 42-8 60-8 2-6-40 12-90c6-16 26-18 46-24V50a20 20 0 0 1 13-36Z'

interface FigureProps {
  view: BodyView
  stateOf: (muscle: Muscle) => 'right' | 'wrong' | undefined
  onMark: (muscle: Muscle) => void
}

function Figure({ view, stateOf, onMark }: FigureProps) {
  const keys = (muscle: Muscle) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onMark(muscle)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset
    <svg className="body" viewBox="0 0 200 400" role="group" aria-label={`The body from the ${view}`}>
      <path className="outline" d={OUTLINE} />
      {muscles[view].map((muscle) => (
        // biome-ignore lint/a11y/useSemanticElements: a region of a drawing cannot be a button element
        <g
          key={muscle}
          role="button"
          tabIndex={0}
          aria-label={muscleName(muscle)}
          data-state={stateOf(muscle)}
          onClick={() => onMark(muscle)}
          onKeyDown={keys(muscle)}
        >
          {regions[muscle].map(([x, y, width, height]) => (
            <ellipse key={`${x}-${y}`} cx={x} cy={y} rx={width} ry={height} />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** The body map game: each prompt asks for one muscle. */
export function BodyMapGame({ view, targets }: GameData<'body_map'>) {
  const [at, setAt] = useState(0)
  const [last, setLast] = useState<{ muscle: Muscle; isCorrect: boolean }>()
  const [right, setRight] = useState(0)
  const target = targets[at]
  if (targets.length === 0) return <p className="missing">No targets yet.</p>
  const mark = (muscle: Muscle) => {
    if (!target) return
    const isCorrect = muscle === target.muscle
    setLast({ muscle, isCorrect })
    if (!isCorrect) return
    setRight(right + 1)
    setAt(at + 1)
  }
  return (
    <>
      <p className="verdict">{target ? target.prompt : `All ${targets.length} marked.`}</p>
      <Figure
        view={view}
        onMark={mark}
        stateOf={(muscle) => (last?.muscle === muscle ? (last.isCorrect ? 'right' : 'wrong') : undefined)}
      />
      <p role="status" className="note">
        {last && `${muscleName(last.muscle)}: ${last.isCorrect ? 'correct' : 'incorrect'}. `}
        {`${right} of ${targets.length} found`}
      </p>
    </>
  )
}
