/**
 * Times functions beside each other. Rounds are interleaved, so that whatever else the machine does falls on all alike,
 * and the median of each is answered, which a few disturbed rounds do not move.
 */

/**
 * Something to time: does its work once over and answers a number that depends on all of it, so that no compiler can
 * leave the work out. The number must be the same in every round.
 */
export type Work = () => number

export interface Plan {
  /** Rounds that are timed. */
  readonly rounds: number
  /** Rounds before them, for compilers and caches. */
  readonly warm_up_rounds: number
  /** A monotonic clock in nanoseconds; that of the process by default. */
  readonly now?: () => bigint
}

/** The median time of one round of each work, in nanoseconds, in the order given. */
export const medians = (works: ReadonlyArray<Work>, plan: Plan): ReadonlyArray<number> => {
  const { rounds, warm_up_rounds, now = process.hrtime.bigint } = plan
  const subjects = works.map((work, index) => ({ work, index, answer: work(), times: [] as Array<number> }))
  for (let round = 0; round < warm_up_rounds + rounds; round++) {
    // Every other round runs backwards, as one work may leave the next its garbage to collect.
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const start = now()
      const answer = subject.work()
      const time_ns = Number(now() - start)
      if (answer !== subject.answer) {
        throw new Error(`work ${subject.index} answered ${answer}, and ${subject.answer} before: time the same work`)
      }
      if (round >= warm_up_rounds) subject.times.push(time_ns)
    }
  }
  return subjects.map(({ times }) => median(times))
}

/** The middle one of an odd number of values, the mean of the middle two of an even number. */
export const median = (values: ReadonlyArray<number>): number => {
  if (values.length === 0) throw new RangeError("no values have no median: give at least one")
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
