/** Widget sessions cost credits: the ledger takes their reason. */
import { runAll } from "./Statements.ts"

/** What stands in the ledger keeps its reason, so nothing has to be looked through. */
export const addWidgetSessions = runAll(
  `ALTER TABLE postcode.ledger_entries
    DROP CONSTRAINT ledger_entries_reason_check,
    ADD CONSTRAINT ledger_entries_reason_check
      CHECK (reason IN ('opening', 'grant', 'lookup', 'lookup_batch', 'widget_session')) NOT VALID`
)
