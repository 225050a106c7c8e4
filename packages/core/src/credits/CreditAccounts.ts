/** Credit accounts for the suites of the ledger: opened for one test, charged by a key, and read to the last entry. */
import { Effect } from "effect"
import type { ApiKeyRecord } from "../keys/ApiKey.ts"
import { storedKey, storedOrganization, unique } from "../testing/Fixtures.ts"
import { readAll } from "../testing/Paging.ts"
import { type Charge, type CreditAccount, CreditLedger } from "./CreditLedger.ts"
import type { LedgerEntry } from "./Credits.ts"

/**
 * A new organization's account with that many credits, and charges of a key of it, each a request of its own.
 *
 * @param key fields of its key; its environment is that of the account, `test` by default
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

/** All entries of an account, newest first. */
export const entriesOf = (account: CreditAccount): Effect.Effect<ReadonlyArray<LedgerEntry>, never, CreditLedger> =>
  Effect.flatMap(CreditLedger, (ledger) =>
    Effect.orDie(readAll((page) => Effect.map(ledger.statement(account, page), ({ entries }) => entries)))
  )
