/** The Authorization header. */
import { Redacted } from "effect"
import type { HttpRequest } from "../server/HttpMessage.ts"

/** The bearer token as sent, in any form; undefined without one. */
export const bearerToken = (request: HttpRequest): Redacted.Redacted<string> | undefined => {
  const token = /^Bearer +(\S.*)$/i.exec(request.header("authorization") ?? "")?.[1]
  return token === undefined ? undefined : Redacted.make(token)
}
