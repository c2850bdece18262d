/** A part of a day in minutes; the end is exclusive. */
export interface Span {
  from: number
  to: number
}

/** A span with its lane, and the number of lanes in its cluster. */
export type PlacedSpan<S extends Span> = S & { lane: number; lanes: number }

const byStart = (a: Span, b: Span) => a.from - b.from || b.to - a.to

/** Assigns the spans of a cluster to lanes: each goes to the first free one. */
function assignLanes<S extends Span>(cluster: readonly S[]): PlacedSpan<S>[] {
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
 * Places overlapping spans of a day side by side. Uses the fewest lanes possible: as many as overlap at the busiest moment
 * of the cluster. Touching spans share a lane.
 */
export function layOutDay<S extends Span>(spans: readonly S[]): PlacedSpan<S>[] {
  const clusters: S[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const span of spans.toSorted(byStart)) {
    if (span.from >= end) clusters.push([])
    clusters.at(-1)?.push(span)
    end = Math.max(end, span.to)
  }
  return clusters.flatMap(assignLanes)
}
