import { InvalidParameter } from "@postcode/core/Errors"
import { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import { Effect, Exit } from "effect"
import type { GroupHandlers } from "../Handler.ts"

export const referenceHandlers = Effect.gen(function* () {
  const current = yield* CurrentDirectory

  const handlers: GroupHandlers<"reference"> = {
    states: () => Exit.succeed({ data: { states: current.get().states() } }),
    lgas: ({ query: { state } }) => {
      const lgas = current.get().lgas(state)
      return lgas === undefined ? noSuch("state") : Exit.succeed({ data: { lgas } })
    },
    districts: ({ query: { lga, state } }) => {
      const directory = current.get()
      if (directory.lgas(state) === undefined) return noSuch("state")
      const districts = directory.districts(state, lga)
      return districts === undefined ? noSuch("lga") : Exit.succeed({ data: { districts } })
    },
    areas: ({ query: { district, lga, state } }) => {
      const directory = current.get()
      if (directory.lgas(state) === undefined) return noSuch("state")
      if (directory.districts(state, lga) === undefined) return noSuch("lga")
      const areas = directory.areas(state, lga, district)
      return areas === undefined ? noSuch("district") : Exit.succeed({ data: { areas } })
    }
  }
  return handlers
})

const parents = { state: "", lga: " in this state", district: " in this LGA" }

const noSuch = (parameter: keyof typeof parents) =>
  Exit.fail(
    new InvalidParameter({ parameter, message: `${parameter}: there is none with this code${parents[parameter]}` })
  )
