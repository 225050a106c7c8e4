/** An end user as one is sent: by whoever saves one, and by the command that imports many. */
import { Schema } from "effect"
import { Code, Text } from "./parameters.ts"

/** The most of each that a request may hold. */
export const endUserLimits = { identifiers: 10, bookmarks: 100, batch: 500 } as const

/** What an end user calls a place. */
export const BookmarkLabel = Text(100)

const Bookmark = Schema.Struct({ postcode: Code, label: BookmarkLabel })

/** Identifiers and bookmarks, as they are saved. */
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

/** Many of them. */
export const EndUserBatch = Schema.Struct({
  end_users: Schema.Array(EndUserBody).check(
    Schema.isMinLength(1, { message: "expected at least one end user" }),
    Schema.isMaxLength(endUserLimits.batch, { message: `expected at most ${endUserLimits.batch} end users` })
  )
})
