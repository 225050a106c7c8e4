/** Tests of the gateway for whoever brings a store. They need vitest. */
export { type Fixture, type FixtureUnit, fixtureUnits, makeFixture, postcodes } from "./FixtureDirectory.ts"
export { gatewaySuite } from "./gatewaySuite.ts"
export type { MakePorts } from "./World.ts"
