/** Which codes exist below a branch of the directory. Free; answered from memory. */
import { Effect, Result } from "effect"
import { InvalidParameter } from "../Errors.ts"
import type { NamedCode } from "../Place.ts"
import { CurrentDirectory } from "../ports/CurrentDirectory.ts"

/** Codes in order, with a name where there is one; a parent that does not exist is named in the failure. */
export type CodeList = Result.Result<ReadonlyArray<NamedCode>, InvalidParameter>

export interface ListCodes {
  readonly states: () => CodeList
  readonly lgas: (state: string) => CodeList
  readonly districts: (state: string, lga: string) => CodeList
  readonly areas: (state: string, lga: string, district: string) => CodeList
}

export const listCodes: Effect.Effect<ListCodes, never, CurrentDirectory> = Effect.map(CurrentDirectory, (current) => {
  const lgas = (state: string): CodeList => below("state", current.get().lgas(state))
  const districts = (state: string, lga: string): CodeList =>
    Result.flatMap(lgas(state), () => below("lga", current.get().districts(state, lga)))
  const areas = (state: string, lga: string, district: string): CodeList =>
    Result.flatMap(districts(state, lga), () => below("district", current.get().areas(state, lga, district)))
  return { states: () => Result.succeed(current.get().states()), lgas, districts, areas }
})

const withinParent = { state: "", lga: " in this state", district: " in this LGA" }

const below = (parent: keyof typeof withinParent, codes: ReadonlyArray<NamedCode> | undefined): CodeList =>
  codes === undefined
    ? Result.fail(
        new InvalidParameter({
          parameter: parent,
          message: `${parent}: there is none with this code${withinParent[parent]}`
        })
      )
    : Result.succeed(codes)
