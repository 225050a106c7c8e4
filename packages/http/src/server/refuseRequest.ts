/** Refuses a request of which only the headers arrived or are read, and ends its connection. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Failure } from "../pipeline/ErrorTable.ts"
import type { Gateway } from "../pipeline/Gateway.ts"
import { endWith } from "./Connection.ts"

/** Answers in the envelope. This is the last answer of the connection. */
export const refuseRequest = (gateway: Gateway, res: ServerResponse, failure: Failure): void => {
  const { body, headers, status } = gateway.refuse(failure, requestIdIn(res.req))
  endWith(res)
  res.writeHead(status, headers)
  res.end(res.req.method === "HEAD" ? undefined : body)
}

/** The id as the client sent it. */
export const requestIdIn = ({ headers }: IncomingMessage): string | undefined =>
  headers["x-request-id"] as string | undefined
