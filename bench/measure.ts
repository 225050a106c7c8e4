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

/** The same for work that waits for something else, such as a database. */
export type AsyncWork = () => Promise<number>

/** The median time of one round of each work, in nanoseconds, in the order given. */
export const medians = (works: ReadonlyArray<Work>, plan: Plan): ReadonlyArray<number> => {
  const { now = process.hrtime.bigint } = plan
  const subjects = works.map((work, index) => subject(work, index, work()))
  for (const { of, isTimed } of rounds(subjects, plan)) {
    const start = now()
    record(of, of.work(), Number(now() - start), isTimed)
  }
  return subjects.map(({ times_ns }) => median(times_ns))
}

/** The same for works that wait. One is done with before the next begins. */
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
  /** What the work answers every time. */
  readonly answer: number
  readonly times_ns: Array<number>
}

const subject = <W>(work: W, index: number, answer: number): Subject<W> => ({ work, index, answer, times_ns: [] })

/** Whose turn it is, round after round. */
function* rounds<W>(
  subjects: ReadonlyArray<Subject<W>>,
  { rounds, warm_up_rounds }: Plan
): Generator<{ readonly of: Subject<W>; readonly isTimed: boolean }> {
  for (let round = 0; round < warm_up_rounds + rounds; round++) {
    // Every other round runs backwards, as one work may leave the next its garbage to collect.
    for (const of of round % 2 === 0 ? subjects : subjects.toReversed()) yield { of, isTimed: round >= warm_up_rounds }
  }
}

const record = <W>(of: Subject<W>, answer: number, time_ns: number, isTimed: boolean): void => {
  if (answer !== of.answer) {
    throw new Error(`work ${of.index} answered ${answer}, and ${of.answer} before: time the same work`)
  }
  if (isTimed) of.times_ns.push(time_ns)
}
