/** The demonstration page: its files, and the types of what a service tells it. */
export { type FailingKeys, nowhere, type PageSettings, type TestUser } from "./PageSettings.ts"
export { type PageAsset, pageAssets } from "./pageAssets.ts"
export { type CountedPlace, type CountedState, countUnits } from "./UnitCounts.ts"
