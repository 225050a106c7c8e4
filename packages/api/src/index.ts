export { Api } from "./Api.ts"
export { Access, FromDirectory, Host, Metered, sessionCookie, Unlimited } from "./access.ts"
export { BookmarkLabel, endUserLimits } from "./endUser.ts"
export { type ErrorBody, type ErrorCode, type ErrorStatus, errorCodes } from "./errors.ts"
