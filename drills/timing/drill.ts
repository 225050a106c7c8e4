/**
 * Whether the time of an answer reveals that an identifier, or the address of an account, is known, on both stores. Seed 0 stands for another seed each
 * time. A time reveals it with |z| of 3.3 or more, which chance gives once in a thousand.
 */
import { Effect } from "effect"
import type { Drill } from "../kit/Drill.ts"
import { stores } from "./stores.ts"
import { questions, timeIdentifiers } from "./timeIdentifiers.ts"
import { signUpQuestions, timeSignUps } from "./timeSignUps.ts"

const options = { pairs: 12_000, seed: 0 }

export const drill: Drill<typeof options> = {
  options,
  run: async ({ pairs, seed }) => {
    const drawn = seed === 0 ? Date.now() % 1e9 : seed
    const revealed: Array<string> = []
    for (const [store, layer] of Object.entries(stores)) {
      for (const question of questions) {
        const timed = timeIdentifiers({ question, pairs, seed: drawn })
        const timing = await Effect.runPromise(Effect.provide(timed, layer))
        process.stdout.write(`${JSON.stringify({ store, question, seed: drawn, ...timing })}\n`)
        if (Math.abs(timing.z) >= 3.3) revealed.push(`${question} ${store}: z is ${timing.z}`)
      }
      for (const question of signUpQuestions) {
        const timed = timeSignUps({ question, pairs: Math.ceil(pairs / 2), seed: drawn })
        const timing = await Effect.runPromise(Effect.provide(timed, layer))
        process.stdout.write(`${JSON.stringify({ store, question, seed: drawn, ...timing })}\n`)
        if (Math.abs(timing.z) >= 3.3) revealed.push(`${question} ${store}: z is ${timing.z}`)
      }
    }
    return { "a time that differs for known identifiers and addresses": revealed }
  }
}
