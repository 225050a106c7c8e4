/** Ids of audit events that the store creates itself, such as for a dropped month. */
import { randomInt } from "node:crypto"
import { keyAlphabet } from "@postcode/gateway/keys/ApiKey"

/** @example newEventId() // "evt_7Qm2cXw9RkT4vBz1LpNd" */
export const newEventId = (): string =>
  `evt_${Array.from({ length: 20 }, () => keyAlphabet[randomInt(keyAlphabet.length)]).join("")}`
