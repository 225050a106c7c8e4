import { auditActions } from "@postcode/core/ports/AuditLog"
import { Command } from "effect/cli"
import { lazily } from "../Lazy.ts"
import { oneOf, optionalFlag, text } from "../Parameters.ts"
import { connection, json, page } from "./CommonFlags.ts"

export const audit = Command.make(
  "audit",
  {
    organization: optionalFlag("organization", {
      read: text,
      metavar: "ORG",
      description: "Only what concerns this organization"
    }),
    action: optionalFlag("action", {
      read: oneOf(auditActions),
      metavar: "ACTION",
      description: `Only this: ${auditActions.slice(0, 3).join(", ")} …`
    }),
    ...page,
    ...connection,
    json
  },
  (input) =>
    lazily(
      () => import("../management/auditTrail.ts"),
      ({ showAuditTrail }) => showAuditTrail(input)
    )
).pipe(Command.withDescription("Who did what, newest first"))
