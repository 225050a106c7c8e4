/** Tests of the gateway for authors of stores. They need vitest. */

export { aboveTheStore, type GatewaySuitePart, gatewaySuite } from "./gatewaySuite.ts"
export { faultsOf } from "./wire/Conventions.ts"
export { type ReadFamily, type ReadMetrics, readMetrics } from "./wire/MetricsText.ts"
export { parseResponses } from "./wire/RawResponses.ts"
export { dataOf, type Received, type Sent } from "./wire/Received.ts"
export {
  type Fixture,
  type FixtureUnit,
  fixtureEdition,
  fixturePlaces,
  fixtureUnits,
  makeFixture,
  postcodes
} from "./world/FixtureDirectory.ts"
export { cookieOf, fromOwnPage, type TestAccount, type TestKey } from "./world/Operator.ts"
export { operatorToken } from "./world/OperatorToken.ts"
export { type MakePorts, useWorld, type World } from "./world/World.ts"
