/** The sandbox: reserved keys and postcodes that force each answer of the service. */
export { openSandbox } from "./openSandbox.ts"
export { type SandboxKey, type SandboxKeyName, sandboxKeys } from "./SandboxKeys.ts"
export { type SandboxUnit, sandboxPlaces, sandboxUnits } from "./SandboxUnits.ts"
export { withSandbox } from "./withSandbox.ts"
