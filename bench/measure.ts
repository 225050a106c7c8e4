/**
 * Measures functions in interleaved rounds, so that other load on the machine affects all alike. Returns medians, which
 * a few disturbed rounds do not change.
 */

/**
 * A function to measure: runs once and returns a number that depends on all of its work, so that the compiler cannot
 * remove it. The number must be the same in every round.
 */
export type Work = () => number

export interface Plan {
  /** Measured rounds. */
  readonly rounds: number
  /** Warm-up rounds. */
  readonly warm_up_rounds: number
  /** A monotonic clock in nanoseconds; the process's by default. */
  readonly now?: () => bigint
}

/** The same for asynchronous work, such as a database query. */
export type AsyncWork = () => Promise<number>

/** The median time of one round of each work, in nanoseconds, in the given order. */
export const medians = (works: ReadonlyArray<Work>, plan: Plan): ReadonlyArray<number> => {
  const { now = process.hrtime.bigint } = plan
  const subjects = works.map((work, index) => subject(work, index, work()))
  for (const { of, isTimed } of rounds(subjects, plan)) {
    const start = now()
    record(of, of.work(), Number(now() - start), isTimed)
  }
  return subjects.map(({ times_ns }) => median(times_ns))
}

/** The same for asynchronous work, one after another. */
export const mediansOfAsync = async (
  works: ReadonlyArray<AsyncWork | Work>,
  plan: Plan
): Promise<ReadonlyArray<number>> => {
  const { now = process.hrtime.bigint } = plan
  const subjects: Array<Subject<AsyncWork | Work>> = []
  for (const [index, work] of works.entries()) subjects.push(subject(work, index, await work()))
  for (const { of, isTimed } of rounds(subjects, plan)) {
    const start = now()
    const answer = await of.work()
    record(of, answer, Number(now() - start), isTimed)
  }
  return subjects.map(({ times_ns }) => median(times_ns))
}

/** The middle one of an odd number of values, the mean of the middle two of an even number. */
export const median = (values: ReadonlyArray<number>): number => {
  if (values.length === 0) throw new RangeError("no values have no median: give at least one")
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

interface Subject<W> {
  readonly work: W
  readonly index: number
  /** The constant result of the work. */
  readonly answer: number
  readonly times_ns: Array<number>
}

const subject = <W>(work: W, index: number, answer: number): Subject<W> => ({ work, index, answer, times_ns: [] })

/** The order of the works, by round. */
function* rounds<W>(
  subjects: ReadonlyArray<Subject<W>>,
  { rounds, warm_up_rounds }: Plan
): Generator<{ readonly of: Subject<W>; readonly isTimed: boolean }> {
  for (let round = 0; round < warm_up_rounds + rounds; round++) {
    // Every other round runs backwards, since one work may leave garbage to the next.
    for (const of of round % 2 === 0 ? subjects : subjects.toReversed()) yield { of, isTimed: round >= warm_up_rounds }
  }
}

const record = <W>(of: Subject<W>, answer: number, time_ns: number, isTimed: boolean): void => {
  if (answer !== of.answer) {
    throw new Error(`work ${of.index} answered ${answer}, and ${of.answer} before: time the same work`)
  }
  if (isTimed) of.times_ns.push(time_ns)
}
