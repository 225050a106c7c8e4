/**
 * Distributes a whole number of items by weight, with a minimum of one and a maximum for each: units over LGAs, and the
 * units of an LGA over its districts. The sum is always exact.
 */

/**
 * Distributes `total` in proportion to `weights`, by the largest remainder. No share exceeds its cap. If `total` is
 * large enough, each share is at least one; otherwise the heaviest weights get one each. Ties go to the smaller index.
 * Each cap must be at least 1, and their sum at least `total`.
 *
 * @example
 * ```ts
 * apportion(10, [1, 1, 8], [9, 9, 5]) // Float64Array [3, 2, 5]
 * ```
 */
export const apportion = (total: number, weights: ArrayLike<number>, caps: ArrayLike<number>): Float64Array => {
  const shares = new Float64Array(weights.length)
  if (total <= shares.length) {
    for (const index of heaviestFirst(weights).subarray(0, total)) shares[index] = 1
    return shares
  }
  shares.fill(1)
  const { open, left } = fillToCaps(total - shares.length, weights, caps, shares)
  shareRest(left, weights, open, shares)
  return shares
}

/** Assigns the cap where the proportional share reaches it. Repeats, because the other shares grow by that. */
const fillToCaps = (
  total: number,
  weights: ArrayLike<number>,
  caps: ArrayLike<number>,
  shares: Float64Array
): { open: ReadonlyArray<number>; left: number } => {
  let left = total
  let open = Array.from(shares.keys())
  for (;;) {
    const unit = left / sumOf(weights, open)
    const within = open.filter((index) => (weights[index] ?? 0) * unit < (caps[index] ?? 0) - 1)
    if (within.length === open.length) return { open, left }
    const kept = new Set(within)
    for (const index of open) {
      if (kept.has(index)) continue
      shares[index] = caps[index] ?? 0
      left -= (caps[index] ?? 0) - 1
    }
    if (left > 0 && within.length === 0) {
      throw new RangeError(`caps: expected a sum of all that is shared out at least; there is no room for ${left}`)
    }
    open = within
    if (left === 0) return { open, left }
  }
}

const shareRest = (left: number, weights: ArrayLike<number>, open: ReadonlyArray<number>, shares: Float64Array) => {
  const unit = left / sumOf(weights, open)
  const remainders = new Float64Array(open.length)
  let given = 0
  open.forEach((index, position) => {
    const share = (weights[index] ?? 0) * unit
    const whole = Math.floor(share)
    shares[index] = (shares[index] ?? 0) + whole
    remainders[position] = share - whole
    given += whole
  })
  for (const position of heaviestFirst(remainders).subarray(0, left - given)) {
    const index = open[position] ?? 0
    shares[index] = (shares[index] ?? 0) + 1
  }
}

const sumOf = (weights: ArrayLike<number>, indexes: ReadonlyArray<number>): number => {
  let sum = 0
  for (const index of indexes) sum += weights[index] ?? 0
  return sum
}

const heaviestFirst = (weights: ArrayLike<number>): Uint32Array =>
  Uint32Array.from({ length: weights.length }, (_, index) => index).sort(
    (a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b
  )
