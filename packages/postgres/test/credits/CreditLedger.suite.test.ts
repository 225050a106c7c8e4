/** The suite of the ledger, on PostgreSQL with the database's clock. */
import { creditLedgerSuite } from "@postcode/conformance"
import { layerLedger } from "./Ledger.ts"

creditLedgerSuite("on PostgreSQL", layerLedger)
