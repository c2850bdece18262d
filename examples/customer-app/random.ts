import { createHash } from 'node:crypto'

export type Random = ReturnType<typeof seededRandom>

/** Chance that is the same for the same seed. */
export function seededRandom(seed: string) {
  let draws = 0
  const draw = () => createHash('sha256').update(`${seed} ${draws++}`).digest()
  const next = () => draw().readUIntBE(0, 6) / 2 ** 48
  return {
    number: next,
    chance: (share: number) => next() < share,
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <Item>(list: readonly Item[]) => list[Math.floor(next() * list.length)] as Item,
    uuid: () =>
      draw()
        .toString('hex', 0, 16)
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5'),
  }
}
