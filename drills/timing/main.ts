/**
 * Whether an identifier matched, by the clock: `npm run timing -- [--pairs N] [--seed S]`. Prints one line for each store
 * and question, with another seed each time unless told. Exits with 1 if a time tells: with |z| of 3.3 or more, which
 * chance gives once in a thousand.
 */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { stores } from "./stores.ts"
import { questions, timeIdentifiers } from "./timeIdentifiers.ts"

const { values } = parseArgs({
  options: { pairs: { type: "string", default: "12000" }, seed: { type: "string", default: `${Date.now() % 1e9}` } }
})

const whole = wholeOptions(values)

let tells = false
for (const [store, layer] of Object.entries(stores)) {
  for (const question of questions) {
    const timed = timeIdentifiers({ question, pairs: whole("pairs"), seed: whole("seed") })
    const timing = await Effect.runPromise(Effect.provide(timed, layer))
    process.stdout.write(`${JSON.stringify({ store, question, seed: whole("seed"), ...timing })}\n`)
    tells ||= Math.abs(timing.z) >= 3.3
  }
}
// The server of the test databases would keep the process.
process.exit(tells ? 1 : 0)
