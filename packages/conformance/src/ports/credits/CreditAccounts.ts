/** Balances for the suites of the ledger: created, charged and read. */

import type { Charge, CreditAccount, LedgerEntry } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeyRecord } from "@postcode/gateway/keys/ApiKey"
import { Effect } from "effect"
import { readAll } from "../../fixtures/Paging.ts"
import { storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"

/**
 * The balance of a new organization, and a function that charges its key. Each charge has another request id.
 *
 * @param key fields of the key; its environment is that of the balance, `test` by default
 */
export const openAccount = Effect.fnUntraced(function* (opening: number, key: Partial<ApiKeyRecord> = {}) {
  const { environment = "test" } = key
  const { id: organization_id } = yield* storedOrganization({ [environment]: opening }, { kyb_status: "verified" })
  const { record } = yield* storedKey(organization_id, { environment, ...key })
  const account: CreditAccount = { organization_id, environment }
  const charge = (amount: number, fields: Partial<Charge> = {}): Charge => ({
    ...account,
    key_id: record.id,
    amount,
    reason: "lookup",
    request_id: unique("req"),
    ...fields
  })
  return { account, charge, key_id: record.id }
})

/** All entries of a balance, newest first. */
export const entriesOf = (account: CreditAccount): Effect.Effect<ReadonlyArray<LedgerEntry>, never, CreditLedger> =>
  Effect.flatMap(CreditLedger, (ledger) =>
    Effect.orDie(readAll((page) => Effect.map(ledger.statement(account, page), ({ entries }) => entries)))
  )
