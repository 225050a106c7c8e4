/** Endpoints of the management API on one resource: its id in the path, and the errors. */
import { failures } from "./errors.ts"
import { idInPath } from "./parameters.ts"

export const byId = { ...idInPath, error: failures.managementRead }
export const byIdOrConflict = { ...idInPath, error: failures.managementChange }
export const byIdWithBody = { ...idInPath, error: failures.managementFind }
export const byIdWithBodyOrConflict = { ...idInPath, error: failures.managementWrite }
