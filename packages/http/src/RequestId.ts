/** The id that follows a request through answers, logs and the ledger. */
import { randomUUID } from "node:crypto"

/** An id as it came in, if it is one that may be kept: 1 to 64 characters of `[A-Za-z0-9._:-]`. */
export const validRequestId = (sent: string | undefined): string | undefined =>
  sent !== undefined && /^[A-Za-z0-9._:-]{1,64}$/.test(sent) ? sent : undefined

export const newRequestId = (): string => randomUUID()
