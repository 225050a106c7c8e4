/** The sandbox: reserved keys and postcodes that force each answer of the service. */
export { closeStoredSandbox } from "./closeStoredSandbox.ts"
export { openSandbox } from "./openSandbox.ts"
export { type SandboxKey, type SandboxKeyName, sandboxKeys, sandboxOrganizations } from "./SandboxKeys.ts"
export { type SandboxUnit, sandboxPlaces, sandboxUnits } from "./SandboxUnits.ts"
export { withSandbox } from "./withSandbox.ts"
