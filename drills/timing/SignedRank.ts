/**
 * Wilcoxon's signed-rank test: whether paired differences lie about zero. It asks for their ranks alone, so a few answers
 * that took long because the machine was busy say no more than any other.
 */

/**
 * How many standard deviations the ranks of the positive differences are off what chance gives: above 0 where differences
 * are more often, or by more, positive. With the order within each pair drawn by lot, chance alone brings |z| above 3.3
 * once in a thousand, above 5 once in two million. Differences of 0 say nothing and are left out.
 */
export const signedRankZ = (differences: ReadonlyArray<number>): number => {
  const sorted = differences.filter((difference) => difference !== 0).sort((a, b) => Math.abs(a) - Math.abs(b))
  let sum = 0
  let variance = 0
  for (let start = 0; start < sorted.length; ) {
    const end = endOfTie(sorted, start)
    // Equal ones share the mean of their ranks, which count from 1.
    const rank = (start + 1 + end) / 2
    for (let at = start; at < end; at++) sum += Math.sign(sorted[at] as number) * rank
    variance += (end - start) * rank ** 2
    start = end
  }
  return variance === 0 ? 0 : sum / Math.sqrt(variance)
}

/** Behind the last difference that is as far from zero as the one at `start`. */
const endOfTie = (sorted: ReadonlyArray<number>, start: number): number => {
  const size = Math.abs(sorted[start] as number)
  let end = start + 1
  while (end < sorted.length && Math.abs(sorted[end] as number) === size) end++
  return end
}
