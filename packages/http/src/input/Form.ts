/** Reading of forms, for OAuth: each known parameter once, in valid UTF-8. Unknown parameters are ignored (RFC 6749, 3.2). */
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { Effect, Result } from "effect"
import type { InvalidBody, PayloadTooLarge, UnsupportedMediaType } from "../pipeline/ErrorTable.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"
import { maxBody_bytes, readBytes, textOf } from "./Json.ts"
import { parseQuery } from "./Query.ts"

/**
 * The parameters of a form. An empty value counts as missing.
 *
 * @param known the names that the endpoint reads, and the parameter of each name
 */
export const readForm = (
  request: HttpRequest,
  known: ReadonlyMap<string, string>
): Effect.Effect<
  Readonly<Record<string, string>>,
  InvalidBody | InvalidParameter | PayloadTooLarge | UnsupportedMediaType
> =>
  Effect.flatMap(readBytes(request, maxBody_bytes, "64 KiB", "application/x-www-form-urlencoded"), (bytes) =>
    Effect.fromResult(Result.flatMap(textOf(bytes, "a form"), (text) => parseQuery(text, known)))
  )
