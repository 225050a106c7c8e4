/** Tests of the gateway for authors of stores. They need vitest. */

export {
  type Fixture,
  type FixtureUnit,
  fixtureEdition,
  fixturePlaces,
  fixtureUnits,
  makeFixture,
  postcodes
} from "../world/FixtureDirectory.ts"
export { cookieOf, fromOwnPage, type TestAccount, type TestKey } from "../world/Operator.ts"
export { operatorToken } from "../world/OperatorToken.ts"
export { type MakePorts, useWorld, type World } from "../world/World.ts"
export { faultsOf } from "./Conventions.ts"
export { aboveTheStore, type GatewaySuitePart, gatewaySuite } from "./gatewaySuite.ts"
export { type ReadFamily, type ReadMetrics, readMetrics } from "./MetricsText.ts"
export { parseResponses } from "./RawResponses.ts"
export { dataOf, type Received, type Sent } from "./Received.ts"
