/** Directories of units none of whose postcodes came twice. */
import type { Directory } from "@postcode/core/Directory"
import type { BuildResult, DirectoryBuilder } from "@postcode/core/DirectoryBuilder"

/** What a builder answered that had to succeed; throws where it did not. */
export const succeeded = (built: BuildResult): BuildResult & { readonly ok: true } => {
  if (!built.ok) throw new Error("a postcode came twice")
  return built
}

/** The directory of what a builder was given; throws where a postcode came twice. */
export const directoryFrom = (builder: DirectoryBuilder): Directory => succeeded(builder.build()).directory
