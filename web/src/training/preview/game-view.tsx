import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { type GameData, gameSchemas } from '@limber/contract/training/lessons/game.ts'
import { BodyMapGame } from './body-map.tsx'
import { Flashcards, MatchPairs, OrderSteps } from './games.tsx'

/** A playable interactive lesson. */
export default function GameView({ content }: { content: ContentOf<'interactive'> }) {
  const { gameType = 'custom', gameData = {}, instructions = '', difficulty = 'medium' } = content
  const read = gameSchemas[gameType]?.safeParse(gameData)
  return (
    <section className="page" aria-label="Exercise" data-own-keys>
      {instructions && <p>{instructions}</p>}
      <p className="note">{`Difficulty: ${difficulty}`}</p>
      {read?.success ? (
        <Game type={gameType} data={read.data as GameData} />
      ) : (
        <p className="missing">This exercise cannot be displayed because its data is incomplete.</p>
      )}
    </section>
  )
}

function Game({ type, data }: { type: ContentOf<'interactive'>['gameType']; data: GameData }) {
  switch (type) {
    case 'flashcards':
      return <Flashcards {...(data as GameData<'flashcards'>)} />
    case 'match_pairs':
      return <MatchPairs {...(data as GameData<'match_pairs'>)} />
    case 'order_steps':
      return <OrderSteps {...(data as GameData<'order_steps'>)} />
    case 'body_map':
      return <BodyMapGame {...(data as GameData<'body_map'>)} />
    case 'custom':
      return Object.keys(data).length === 0 ? (
        <p className="missing">This exercise has no content yet.</p>
      ) : (
        <pre className="text">{JSON.stringify(data, null, 2)}</pre>
      )
  }
}
