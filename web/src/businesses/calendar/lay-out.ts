/** A stretch of a day in minutes: from, up to but not including, to. */
export interface Span {
  from: number
  to: number
}

/** A span with the lane that it stands in, of as many as its neighbours need. */
export type Laid<S extends Span> = S & { lane: number; lanes: number }

const inOrder = (a: Span, b: Span) => a.from - b.from || b.to - a.to

/** Takes spans that meet, directly or through others, to lanes: each goes to the first that is free. */
function layCluster<S extends Span>(cluster: readonly S[]): Laid<S>[] {
  const ends: number[] = []
  const placed = cluster.map((span) => {
    const free = ends.findIndex((end) => end <= span.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = span.to
    return { span, lane }
  })
  return placed.map(({ span, lane }) => ({ ...span, lane, lanes: ends.length }))
}

/**
 * Puts the spans of a day side by side where they overlap. Lanes are as few as can be: as many as there are spans at the
 * busiest moment of the cluster. What only touches shares a lane.
 */
export function layOut<S extends Span>(spans: readonly S[]): Laid<S>[] {
  const clusters: S[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const span of spans.toSorted(inOrder)) {
    if (span.from >= end) clusters.push([])
    clusters.at(-1)?.push(span)
    end = Math.max(end, span.to)
  }
  return clusters.flatMap(layCluster)
}
