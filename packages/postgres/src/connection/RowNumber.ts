/** Numbers of rows, in the order of their creation. */
import { randomInt } from "node:crypto"

/**
 * A number above all that this process has made: the milliseconds since 1970, and 20 bits to tell rows of one of them
 * apart. So rows of one replica are in order, and rows of several as far as their clocks agree.
 */
export const newRowNumber = (): bigint => {
  const earliest = (BigInt(Date.now()) << 20n) + BigInt(randomInt(2 ** 19))
  last = earliest > last ? earliest : last + 1n
  return last
}

let last = 0n
