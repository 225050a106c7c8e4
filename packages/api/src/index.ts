export { Api } from "./Api.ts"
export { Access, Metered, Unlimited } from "./access.ts"
export { type ErrorBody, type ErrorCode, type ErrorStatus, errorCodes } from "./errors.ts"
