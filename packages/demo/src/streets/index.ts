/** A map of the demonstration's invented streets: vector tiles, and their style. */
export { demoStreets } from "./demoStreets.ts"
export { streetStyle } from "./streetStyle.ts"
