/** Directories of units none of whose postcodes came twice. */
import { type Directory, packSegments } from "@postcode/core/Directory"
import { type BuildResult, DirectoryBuilder } from "@postcode/core/DirectoryBuilder"

/** What a builder answered that had to succeed; throws where it did not. */
export const succeeded = (built: BuildResult): BuildResult & { readonly ok: true } => {
  if (!built.ok) throw new Error("a postcode came twice")
  return built
}

/** The directory of what a builder was given; throws where a postcode came twice. */
export const directoryFrom = (builder: DirectoryBuilder): Directory => succeeded(builder.build()).directory

/** A unit of a test, without its code. */
export interface TestUnit {
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
}

/** The code of one of a few units, spread over districts. */
export const testCode = (unit: number): number => packSegments(286, 12, unit % 7, 3, unit)

/** The directory of units by their packed codes. */
export const directoryOf = (units: ReadonlyMap<number, TestUnit>): Directory => {
  const builder = new DirectoryBuilder()
  for (const [code, { active, lat_e7, lon_e7 }] of units) builder.addPackedUnit(code, lat_e7, lon_e7, active)
  return directoryFrom(builder)
}
