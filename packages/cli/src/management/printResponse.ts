import type { DataOf, InputOf, Route } from "@postcode/client"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { Effect } from "effect"
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
