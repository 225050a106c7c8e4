export { Api } from "./Api.ts"
export {
  Access,
  CountedBy,
  FreeQuery,
  FromDirectory,
  Host,
  hasStrictBody,
  InsteadOfChange,
  Leveled,
  LongBody,
  Metered,
  OAuth,
  sessionCookie,
  Unlimited
} from "./access.ts"
export { BookmarkLabel } from "./endUser.ts"
export { type ErrorExplanation, errorGuide } from "./errorGuide.ts"
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorStatus,
  errorCodes,
  type OAuthErrorCode,
  oauthErrorCodes
} from "./errors.ts"
export { mistakeInAddress, mistakeInPoint, Synonyms } from "./parameters.ts"
export { type DescribedEvent, webhookEvents } from "./webhookEvents.ts"
