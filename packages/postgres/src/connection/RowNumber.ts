/** Numbers of rows, in the order of their creation. */
import { randomInt } from "node:crypto"

/**
 * A number above all previous ones of this process: the milliseconds since 1970, then 20 bits for rows of the same
 * millisecond. So rows of one replica are in order, and rows of several replicas as far as their clocks agree.
 */
export const newRowNumber = (): bigint => {
  const earliest = (BigInt(Date.now()) << 20n) + BigInt(randomInt(2 ** 19))
  last = earliest > last ? earliest : last + 1n
  return last
}

let last = 0n
