/** The number of typing errors between two words: insertions, deletions, substitutions, and swaps of neighbours. */
export const editDistance = (a: string, b: string, max: number): number => {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > max) return max + 1
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : replaced
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    if (Math.min(...row) > max) return max + 1
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (values: ReadonlyArray<number>, index: number): number => values[index] as number
