/** The directories with the reserved postcodes: all of a reserved key's, and a part of every test key's. */
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { extendDirectory } from "@postcode/core/LiveDirectory"
import type { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { type DirectoryChanges, keptSince } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { changePage } from "@postcode/gateway/directory/changes/StoredChanges"
import type { Units } from "@postcode/gateway/directory/Units"
import { isReserved } from "@postcode/gateway/lookup/sandboxLevel"
import { Effect } from "effect"
import { isReservedOrganization } from "./SandboxKeys.ts"
import { attributesOf, existingUnits, sandboxPlaces } from "./SandboxUnits.ts"

/** How a sandbox is added to a directory. */
export interface SandboxOptions {
  /** Whether test keys see the reserved postcodes only, and no real unit. */
  readonly isTestAlone?: boolean
}

/**
 * Requests with reserved keys get the reserved postcodes only. Those with other test keys get them beside the directory;
 * all others get the directory as it is.
 */
export const withReservedUnits = (
  current: CurrentDirectory["Service"],
  { isTestAlone = false }: SandboxOptions = {}
): CurrentDirectory["Service"] => {
  const { currentSince, warnings } = current
  const reserved = reservedDirectory()
  let last: { readonly base: Directory; readonly extended: Directory } | undefined
  return {
    get: (caller) => {
      if (isReservedOrganization(caller?.organization_id)) return reserved
      const base = current.get(caller)
      if (caller?.environment !== "test") return base
      if (isTestAlone) return reserved
      if (last?.base !== base) last = { base, extended: extend(base) }
      return last.extended
    },
    sandbox: reserved,
    ...(warnings && { warnings }),
    ...(currentSince && {
      currentSince: (directory) => currentSince(directory === last?.extended ? last.base : directory)
    })
  }
}

const extend = extendDirectory(
  existingUnits.map(({ active = true, ...unit }) => ({ ...unit, active })),
  sandboxPlaces
)

const edition = "sandbox"

const reservedDirectory = (): Directory => {
  const builder = new DirectoryBuilder({ version: edition, addresses: true })
  for (const place of sandboxPlaces) builder.addPlace(place)
  for (const { active = true, attributes, coordinate, postcode, replaced_by } of existingUnits) {
    builder.addUnit(postcode, coordinate, active, { ...attributes, replaced_by })
  }
  const built = builder.build()
  if (!built.ok) throw new Error("the reserved postcodes are not unique")
  return built.directory
}

/** The directory of the reserved keys never changes. */
export const reservedChanges = (changes: DirectoryChanges["Service"]): DirectoryChanges["Service"] => ({
  apply: changes.apply,
  after: (since, limit, organization_id) =>
    isReservedOrganization(organization_id)
      ? Effect.flatMap(keptSince, (keptSince) =>
          Effect.fromResult(changePage(since, { latest: { edition, changes: 0 }, next: [], keptSince }))
        )
      : changes.after(since, limit, organization_id),
  history: changes.history,
  latest: changes.latest
})

/** The attributes of the reserved postcodes, and of all others in the store. */
export const withReservedAttributes = (units: Units["Service"]): Units["Service"] => ({
  attributes: (postcodes, directory) => {
    if (!postcodes.some(isReserved)) return units.attributes(postcodes, directory)
    const others = postcodes.filter((postcode) => !isReserved(postcode))
    return Effect.map(others.length === 0 ? Effect.succeed([]) : units.attributes(others, directory), (found) => {
      const rest = found.values()
      return postcodes.map((postcode) => (isReserved(postcode) ? attributesOf(postcode) : (rest.next().value ?? {})))
    })
  }
})
