import type { DataOf, InputOf, Route } from "@postcode/client"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { printRecord } from "../terminal/Print.ts"
import type { View } from "../terminal/Table.ts"
import { type ManagementOptions, request } from "./connect.ts"

/** Calls the service and prints its response field by field, or as JSON. */
export const printResponse = <R extends Route>(
  options: ManagementOptions,
  route: R,
  input: InputOf<R>,
  fields: View<DataOf<R>>
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(request(options, route, input), (data) => printRecord(options, data, fields))
