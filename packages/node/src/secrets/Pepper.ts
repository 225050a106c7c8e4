import { isStrongSecret, strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import { Redacted } from "effect"

/** The pepper of identifier hashes, with a version: rotation must distinguish old hashes from new ones. */
export interface Pepper {
  /** 1 to 999,999. */
  readonly version: number
  /** 32 to 512 printable ASCII characters without spaces, and no repetition. */
  readonly secret: Redacted.Redacted<string>
}

/** Maximum number of valid peppers: the token of a widget session holds a hash under each. */
export const maxPeppers = 4

/**
 * Refuses peppers that are too many, weak, or not distinct.
 *
 * @throws Error that names the invalid pepper and the expected value
 */
export const assertPeppers = (peppers: ReadonlyArray<Pepper>): void => {
  if (peppers.length > maxPeppers) throw new Error(`peppers: expected at most ${maxPeppers}`)
  for (const { secret, version } of peppers) {
    if (!(Number.isInteger(version) && version >= 1 && version <= 999_999)) {
      throw new Error("peppers: expected versions of 1 to 999,999")
    }
    if (!isStrongSecret(Redacted.value(secret))) {
      throw new Error(`pepper of version ${version}: expected ${strongSecretForm}`)
    }
  }
  const versions = new Set(peppers.map(({ version }) => version))
  if (versions.size < peppers.length) throw new Error("peppers: expected each version once")
}
