/** Tests of the gateway for whoever brings a store. They need vitest. */
export { attestationBy, attestationFormats } from "./Attestations.ts"
export { faultsOf } from "./Conventions.ts"
export {
  type Fixture,
  type FixtureUnit,
  fixtureEdition,
  fixturePlaces,
  fixtureUnits,
  makeFixture,
  postcodes
} from "./FixtureDirectory.ts"
export { gatewaySuite } from "./gatewaySuite.ts"
export { type ReadFamily, type ReadMetrics, readMetrics } from "./MetricsText.ts"
export { cookieOf, fromOwnPage, type TestAccount, type TestKey } from "./Operator.ts"
export { operatorToken } from "./OperatorToken.ts"
export { parseResponses } from "./RawResponses.ts"
export { dataOf, type Received, type Sent } from "./Received.ts"
export { signingKeys } from "./SigningKeys.ts"
export { SoftAuthenticator } from "./SoftAuthenticator.ts"
export { weakSecrets } from "./WeakSecrets.ts"
export { type MakePorts, useWorld, type World } from "./World.ts"
