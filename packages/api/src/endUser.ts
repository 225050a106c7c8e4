/** An end user in requests: of the save endpoint and of the import command. */
import { endUserLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { Code, Text } from "./parameters.ts"

/** The end user's label of a bookmark. */
export const BookmarkLabel = Text(endUserLimits.label)

const Bookmark = Schema.Struct({ postcode: Code, label: BookmarkLabel })

/** Identifiers and bookmarks to save. */
export const EndUserBody = Schema.Struct({
  identifiers: Schema.Array(Schema.String).check(
    Schema.isMinLength(1, { message: "expected at least one identifier" }),
    Schema.isMaxLength(endUserLimits.identifiers, {
      message: `expected at most ${endUserLimits.identifiers} identifiers`
    })
  ),
  bookmarks: Schema.Array(Bookmark).check(
    Schema.isMaxLength(endUserLimits.bookmarks, { message: `expected at most ${endUserLimits.bookmarks} bookmarks` })
  )
})

/** A batch of end users. */
export const EndUserBatch = Schema.Struct({
  end_users: Schema.Array(EndUserBody).check(
    Schema.isMinLength(1, { message: "expected at least one end user" }),
    Schema.isMaxLength(endUserLimits.batch, { message: `expected at most ${endUserLimits.batch} end users` })
  )
})
