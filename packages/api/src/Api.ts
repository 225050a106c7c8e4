/** The whole wire contract as one value. The server, the clients and the documentation are derived from it. */
import { HttpApi, OpenApi } from "effect/http-api"
import { describe } from "./describe.ts"
import { Accounts } from "./groups/accounts.ts"
import { Assembly } from "./groups/assembly.ts"
import { Directory } from "./groups/directory.ts"
import { Health } from "./groups/health.ts"
import { Lookup } from "./groups/lookup.ts"
import { Management } from "./groups/management/management.ts"
import { OwnAccount } from "./groups/ownAccount.ts"
import { Passkeys } from "./groups/passkeys.ts"
import { Reference } from "./groups/reference.ts"
import { Search } from "./groups/search.ts"
import { Widget } from "./groups/widget.ts"

const contract = HttpApi.make("postcode-gateway")
  .add(Search)
  .add(Lookup)
  .add(Assembly)
  .add(Reference)
  .add(Directory)
  .add(Widget)
  .add(Management)
  .add(Accounts)
  .add(OwnAccount)
  .add(Passkeys)
  .add(Health)
  .annotateMerge(
    OpenApi.annotations({
      title: "Postcode Gateway",
      version: "0.1.0",
      license: { name: "MIT", identifier: "MIT" },
      description:
        "The national postcode system over HTTP: search, lookup by level, assembly, reference data, the widget, and " +
        "management. Successful responses have their payload in `data`. Errors have a code and a message in `error`. " +
        "Only the calls of OAuth 2.0 have the form of that standard. " +
        "Bodies sent to `/v1/admin` may have only known fields; elsewhere, unknown fields are ignored."
    })
  )

export const Api = contract.annotate(OpenApi.Transform, describe(contract))
