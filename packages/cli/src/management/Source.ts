/** Where a credential comes from. */
import { commandName } from "@postcode/server/process/CommandName"

/** A profile, or a variable, a data folder or standard input by its name. */
export type Source = { readonly profile: string } | { readonly name: string }

/** `the profile default`, `POSTCODE_KEY`. */
export const sourceName = (source: Source): string =>
  "profile" in source ? `the profile ${source.profile}` : source.name

/** The end of a message about a credential that the service refuses. */
export const refusedFrom = (source: Source): string =>
  "profile" in source
    ? `; it is in ${sourceName(source)}: ${commandName()} login --profile ${source.profile} replaces it`
    : `; it comes from ${source.name}`
