/** Secrets on Node: random values and hashes, passwords, passkeys, and the keys that sign widget sessions. */

export { layerNodePasskeys } from "./Passkeys.ts"
export { layerNodePasswords, type NodePasswordsOptions } from "./Passwords.ts"
export { assertPeppers, maxPeppers, type Pepper } from "./Pepper.ts"
export { layerNodeSecrets, randomAlphanumeric } from "./Secrets.ts"
export {
  assertSessionKeys,
  isSigningKeyId,
  layerSessionTokens,
  type SigningKey,
  type SigningKeys
} from "./SessionTokens.ts"
