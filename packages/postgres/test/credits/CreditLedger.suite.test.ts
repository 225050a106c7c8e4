/** The conformance suite of the ledger, on PostgreSQL and its own clock. */
import { creditLedgerSuite } from "@postcode/core/credits/CreditLedgerSuite"
import { layerLedger } from "./Ledger.ts"

creditLedgerSuite("on PostgreSQL", layerLedger)
