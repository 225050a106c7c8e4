/** `postcode end-users`, except the import. */
import { BookmarkLabel } from "@postcode/api"
import type { Bookmark, StoredEndUser } from "@postcode/core/widget/EndUsers"
import { Effect, Option, Schema } from "effect"
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { type ManagementApi, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { record, table } from "../../Table.ts"
import { type IdentifierOptions, readIdentifier, readIdentifiers } from "./Identifiers.ts"

/** By id, or by an identifier from the input. */
interface EndUserOptions extends ManagementOptions, IdentifierOptions {
  readonly id: string | undefined
}

/** `postcode end-users save` */
export const saveEndUser = (
  input: ManagementOptions &
    IdentifierOptions & { readonly bookmarks: ReadonlyArray<Bookmark>; readonly noBookmarks: boolean }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { bookmarks, noBookmarks } = input
    if (noBookmarks === bookmarks.length > 0) return yield* Effect.fail(bookmarksUnclear)
    if (!bookmarks.every(({ label }) => isLabel(label))) return yield* Effect.fail(labelMalformed)
    const identifiers = yield* readIdentifiers(input)
    const { data } = yield* manage(input, (api) => api.saveEndUser({ payload: { identifiers, bookmarks } }))
    yield* input.json ? writeJson(data) : writeData(record([["id", data.id]]))
  })

/** `postcode end-users show` */
export const showEndUser = (input: EndUserOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const endUser = yield* found(input)
    if (input.json) return yield* writeJson(endUser)
    const { bookmarks, id, identifiers } = endUser
    yield* writeData(
      record([
        ["id", id],
        ["identifiers", identifiers],
        ["bookmarks", bookmarks.length]
      ])
    )
    if (bookmarks.length === 0) return
    yield* writeData(
      `\n${table(
        [
          { title: "POSTCODE", cell: ({ postcode }) => postcode },
          { title: "LABEL", cell: ({ label }) => label }
        ],
        bookmarks
      )}`
    )
  })

/** `postcode end-users remove` */
export const removeEndUser = (input: EndUserOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { id } = input
    const removed: ReadonlyArray<Removed> =
      id === undefined
        ? yield* removeFound(input, yield* readIdentifier(input))
        : [yield* manage(input, (api) => removeById(api, id))]
    if (input.json) return yield* Effect.forEach(removed, writeJson, { discard: true })
    yield* writeData(
      removed
        .map(({ id, removed_at }) =>
          record([
            ["id", id],
            ["removed", removed_at]
          ])
        )
        .join("\n")
    )
  })

/** `postcode end-users count` */
export const countEndUsers = (input: ManagementOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.countEndUsers())
    if (input.json) return yield* writeJson(data)
    yield* writeData(record([["end users", grouped(data.count)]]))
  })

interface Removed {
  readonly id: string
  readonly removed_at: string
}

const removeById = (api: ManagementApi, id: string) =>
  Effect.map(api.removeEndUser({ params: { id } }), ({ data }): Removed => data)

/** All accounts of the identifier: several if it was saved under different peppers. */
const removeFound = (
  input: ManagementOptions,
  identifier: string
): Effect.Effect<ReadonlyArray<Removed>, CommandFailure> =>
  manage(input, (api) =>
    Effect.gen(function* () {
      const find = Effect.map(api.findEndUser({ payload: { identifier } }), ({ data }) => data.id)
      const findNext = Effect.catchIf(find, isNotFound, () => Effect.undefined)
      const removed: Array<Removed> = []
      for (let id: string | undefined = yield* find; id !== undefined; id = yield* findNext) {
        removed.push(yield* removeById(api, id))
      }
      return removed
    })
  )

const isNotFound = (error: unknown): boolean =>
  (error as { readonly error?: { readonly code?: unknown } }).error?.code === "not_found"

type WireEndUser = Omit<StoredEndUser, "bookmarks"> & {
  readonly bookmarks: ReadonlyArray<{ readonly postcode: string; readonly label: string }>
}

const found = (input: EndUserOptions): Effect.Effect<WireEndUser, CommandFailure> =>
  Effect.gen(function* () {
    const { id } = input
    const find = (identifier: string) => (api: ManagementApi) => api.findEndUser({ payload: { identifier } })
    const { data } = yield* id === undefined
      ? manage(input, find(yield* readIdentifier(input)))
      : manage(input, (api) => api.getEndUser({ params: { id } }))
    return data
  })

const isLabel = (label: string): boolean => Option.isSome(Schema.decodeOption(BookmarkLabel)(label))

const labelMalformed = new CommandFailure(
  "--bookmark: expected a label of 1 to 100 characters, without control characters and API keys, behind the =",
  exitCodes.wrongUsage
)

const bookmarksUnclear = new CommandFailure(
  "an end user is saved with all bookmarks, in place of those of before: give each with --bookmark, or none with --no-bookmarks",
  exitCodes.wrongUsage
)
