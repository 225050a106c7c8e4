/** The signing keys of a gateway under test. */

import type { SigningKeys } from "@postcode/node/secrets"
import { Redacted } from "effect"

const key = (id: string) => ({ id, secret: Redacted.make(`the-secret-of-the-signing-key-${id}-for-tests-alone`) })

/** The first one signs; tokens of the second one are also valid. */
export const signingKeys = [key("present"), key("former")] as const satisfies SigningKeys
