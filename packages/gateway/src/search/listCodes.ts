/** Lists the codes of a branch of the directory. Free; from memory. */

import type { Directory, NamedCode } from "@postcode/core/Directory"
import { Result } from "effect"
import { InvalidParameter } from "../Errors.ts"

/** Codes in order, with names where known; the error names a parent that does not exist. */
export type CodeList = Result.Result<ReadonlyArray<NamedCode>, InvalidParameter>

/** The states with an active unit. Never fails. */
export const listStates = (directory: Directory): CodeList => Result.succeed(directory.states())

/** The LGAs of a state, such as `LA`. */
export const listLgas = (directory: Directory, state: string): CodeList => below("state", directory.lgas(state))

/** The districts of an LGA, such as `12` in `LA`. */
export const listDistricts = (directory: Directory, state: string, lga: string): CodeList =>
  Result.flatMap(listLgas(directory, state), () => below("lga", directory.districts(state, lga)))

/** The areas of a district, such as `A03` in `12` in `LA`. */
export const listAreas = (directory: Directory, state: string, lga: string, district: string): CodeList =>
  Result.flatMap(listDistricts(directory, state, lga), () => below("district", directory.areas(state, lga, district)))

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
