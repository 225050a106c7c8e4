/**
 * Checks postcodes without a network and without data: one a line on standard input, one a line on standard output.
 * It ends with exit code 1 if one of them is malformed.
 */
import { createInterface } from "node:readline"
import { compact, display, parse, prefix } from "@postcode/core/Postcode"

let malformed = 0
for await (const line of createInterface({ input: process.stdin })) {
  const result = parse(line)
  if (result.ok) {
    const { postcode } = result
    console.log(`${postcode} | ${display(postcode)} | ${compact(postcode)} | district ${prefix(postcode, "district")}`)
  } else {
    malformed++
    console.log(`malformed: ${result.error.message}`)
  }
}
process.exitCode = malformed === 0 ? 0 : 1
