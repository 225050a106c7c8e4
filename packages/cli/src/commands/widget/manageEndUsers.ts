/** `postcode end-users`, except the import. */
import { BookmarkLabel } from "@postcode/api"
import type { DataOf, EndUser } from "@postcode/client"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { writeData } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Effect, Option, Schema } from "effect"
import { type Call, CallFailure, connect } from "../../management/connect.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printRecord, printTable } from "../../terminal/Print.ts"
import type { Work } from "../commandsOf.ts"
import { readIdentifier, readIdentifiers } from "./Identifiers.ts"

/** By id, or by an identifier from the input. */
interface EndUserInput {
  readonly id: string | undefined
  readonly identifiers: string
}

/** `postcode end-users save` */
export const saveEndUser: Work<{
  readonly identifiers: string
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly noBookmarks: boolean
}> = ({ bookmarks, identifiers: file, noBookmarks }, options) =>
  Effect.gen(function* () {
    if (noBookmarks === bookmarks.length > 0) return yield* Effect.fail(bookmarksUnclear)
    if (!bookmarks.every(({ label }) => isLabel(label))) return yield* Effect.fail(labelMalformed)
    const identifiers = yield* readIdentifiers({ ...options, identifiers: file })
    yield* printResponse(options, "PUT /v1/admin/end-users", { body: { identifiers, bookmarks } }, { id: "id" })
  })

/** `postcode end-users show` */
export const showEndUser: Work<EndUserInput> = ({ id, identifiers }, options) =>
  Effect.gen(function* () {
    const identifier = id === undefined ? yield* readIdentifier({ ...options, identifiers }) : ""
    const call = yield* connect(options)
    const endUser = yield* id === undefined
      ? find(call, identifier)
      : call("GET /v1/admin/end-users/:id", { params: { id } })
    const { bookmarks } = endUser
    yield* printRecord(options, endUser, { id: "id", identifiers: "identifiers", bookmarks: () => bookmarks.length })
    if (options.json || bookmarks.length === 0) return
    yield* writeData("\n")
    yield* printTable(options, bookmarks, bookmarks, { columns: { POSTCODE: "postcode", LABEL: "label" }, empty: "" })
  })

/** `postcode end-users remove` */
export const removeEndUser: Work<EndUserInput> = ({ id, identifiers }, options) =>
  Effect.gen(function* () {
    const identifier = id === undefined ? yield* readIdentifier({ ...options, identifiers }) : undefined
    const call = yield* connect(options)
    const remove = (id: string) => call("DELETE /v1/admin/end-users/:id", { params: { id } })
    const removed: Array<DataOf<"DELETE /v1/admin/end-users/:id">> = []
    if (id !== undefined) removed.push(yield* remove(id))
    if (identifier !== undefined) {
      // Several accounts have the identifier if it was saved under different peppers.
      const found = find(call, identifier)
      const next = Effect.catchIf(found, isNotFound, () => Effect.undefined)
      for (let one: EndUser | undefined = yield* found; one !== undefined; one = yield* next) {
        removed.push(yield* remove(one.id))
      }
    }
    for (const [i, endUser] of removed.entries()) {
      if (i > 0 && !options.json) yield* writeData("\n")
      yield* printRecord(options, endUser, { id: "id", removed: "removed_at" })
    }
  })

/** `postcode end-users count` */
export const countEndUsers: Work<object> = (_, options) =>
  printResponse(options, "GET /v1/admin/end-users", {}, { "end users": ({ count }) => grouped(count) })

const find = (call: Call, identifier: string) => call("POST /v1/admin/end-users/find", { body: { identifier } })

const isNotFound = (failure: CommandFailure): boolean => failure instanceof CallFailure && failure.code === "not_found"

const isLabel = (label: string): boolean => Option.isSome(Schema.decodeOption(BookmarkLabel)(label))

const labelMalformed = new CommandFailure(
  "--bookmark: expected a label of 1 to 100 characters, without control characters and API keys, after the =",
  exitCodes.wrongUsage
)

const bookmarksUnclear = new CommandFailure(
  "end-users save overwrites all bookmarks of an end user: give each with --bookmark, or remove all with --no-bookmarks",
  exitCodes.wrongUsage
)
