/** Failures that come late, once the user has gone on to something else. */
import { describeLateAnswers } from "./describeLateAnswers.ts"
import { usePickers } from "./PickerPage.ts"

describeLateAnswers(true, usePickers())
